import type { Actor } from '../store/commands.ts';

/**
 * Control documents: kill switches, shared breakers, gates, limits of rates, causes of parked jobs, the progress of bulk operations,
 * schedules, sources of events, escalations, and rules of causes with the state to which they were applied.
 * They are few and small, and every process reads them when their revision changes, so one shape serves all of them. Their
 * meaning, and how they change, is in the pure functions of `./rules`. A `control` command changes one.
 */
export interface ControlStore {
  /** All documents. */
  controls(): Promise<Controls>;
  /**
   * The revision of `controls()` alone: one small statement on the path of heartbeats, which never waits behind other
   * work. Every process asks for it a few times a second.
   */
  controlRevision(): Promise<number>;
  /** The causes of parked jobs, with their counts. */
  parks(): Promise<readonly Park[]>;
  /** The values of rates for which jobs wait, by name and value: at most `MAX_CONTROLS`. */
  rates(): Promise<readonly WaitingRate[]>;
}

/** Most documents of one kind: there can be many gates, and they must not keep a kill switch out. */
export const MAX_CONTROLS = 10_000;
/** The longest document, in bytes of UTF-8. */
export const MAX_CONTROL_BYTES = 262_144;
/** Jobs under one cause are counted up to here. */
export const MAX_PARK_COUNT = 10_000;

/**
 * Claims check kill switches in their own transaction: a document of kind `kill` stops claims of the jobs that its key
 * names, whatever it contains. Its keys are `all`, `queue:<name>`, `operation:<handler>` and `tenant:<name>`; the keys of
 * pauses are `pause:queue:<name>` and `pause:operation:<handler>`.
 */
export type ControlKind = (typeof CONTROL_KINDS)[number];

export const CONTROL_KINDS = Object.freeze([
  'kill',
  'breaker',
  'gate',
  'park',
  'operation',
  'schedule',
  'source',
  'escalation',
  'cause',
  'regroup',
  'rate',
] as const);

export interface Control {
  readonly kind: ControlKind;
  /** Within its kind. At most 1,000 characters. */
  readonly key: string;
  /** Of this document. Never used twice, not even after the document was deleted and created again. */
  readonly revision: number;
  /** JSON object. */
  readonly document: string;
}

export interface Controls {
  /** Grows with every change of a document. 0: no change so far. */
  readonly revision: number;
  readonly nowMs: number;
  /** By kind and key. */
  readonly all: readonly Control[];
}

/** Writes a document if it still has the revision that the writer has read (compare-and-set). */
export interface ControlCommand {
  readonly kind: 'control';
  readonly of: ControlKind;
  readonly key: string;
  /** 0: the document does not exist. */
  readonly expect: number;
  /** JSON object. Absent: deletes the document. */
  readonly document?: string | undefined;
  /**
   * JSON object for the audit log: event `control`, subject `<kind>:<key>`. Absent: no record, for a mere count.
   */
  readonly note?: string | undefined;
}

/** `changed`: another process was first. `full`: its kind has `MAX_CONTROLS` documents. Then nothing is written. */
export type ControlResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly refusal: 'changed' | 'full' };

/**
 * Makes parked jobs of one cause ready, due or not, at most `limit` (1 to 1,000): the highest priority first, then the
 * earliest due time, then id.
 */
export interface ReleaseCommand {
  readonly kind: 'release';
  readonly cause: string;
  readonly limit: number;
  /**
   * In turn: by due time and id alone. Jobs of a breaker are all parked for the same time, so a job that was released and
   * is parked again goes behind all others, whatever its priority. Default `false`.
   */
  readonly inTurn?: boolean | undefined;
  readonly actor: Actor;
}

export interface ReleaseResult {
  readonly ok: true;
  readonly released: number;
  /** Whether more are parked under the cause. */
  readonly more: boolean;
}

export interface Park {
  readonly cause: string;
  /** At most `MAX_PARK_COUNT`. */
  readonly count: number;
  /** Whether there are more than `count`. */
  readonly bounded: boolean;
}

/** Ready jobs that a rate keeps back. */
export interface WaitingRate {
  /** See `ClaimRate`. */
  readonly name: string;
  /** What they count under, such as a tenant. Empty: all jobs of the rate. */
  readonly value: string;
  readonly sinceMs: number;
  /** At most `MAX_PARK_COUNT`. */
  readonly count: number;
  /** Whether there are more than `count`. */
  readonly bounded: boolean;
}
