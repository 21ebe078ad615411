import type { Actor } from '../store/commands.ts';
import type { Pause } from '../store/store.ts';

/**
 * What operators and dependencies have said about work that has not begun: kill switches, shared breakers, gates, causes
 * that jobs are parked under, and the course of acts on many. Few small documents that every process reads when their
 * revision changes, so one shape serves all of them; what a document means, and how it changes, is in core's pure
 * functions (`@redrive/core/control`). A document changes with a `control` command.
 */
export interface ControlStore {
  /** All of them, as they are now. */
  controls(): Promise<Controls>;
  /**
   * The revision of `controls()` alone: one small statement on the path of heartbeats, which never waits behind other
   * work. Every process asks for it a few times a second.
   */
  controlRevision(): Promise<number>;
  /** What jobs are parked under, and how many; by cause. */
  parks(): Promise<readonly Park[]>;
}

/** So many documents of one kind a store keeps: of gates there can be many, and they must not keep a kill switch out. */
export const MAX_CONTROLS = 10_000;
/** The longest document, in bytes of UTF-8. */
export const MAX_CONTROL_BYTES = 262_144;
/** Jobs under one cause are counted up to here. */
export const MAX_PARK_COUNT = 10_000;

/**
 * Claims obey kill switches by themselves, in their own transaction: a document of kind `kill` stops claims of what its
 * key names, whatever it says. Its keys are `all`, `queue:<name>`, `operation:<handler>` and `tenant:<name>`.
 */
export type ControlKind = 'kill' | 'breaker' | 'gate' | 'park' | 'operation';

export const CONTROL_KINDS: readonly ControlKind[] = [
  'kill',
  'breaker',
  'gate',
  'park',
  'operation',
];

export interface Control {
  readonly kind: ControlKind;
  /** Within its kind. At most 1,000 characters. */
  readonly key: string;
  /** Of this document; never used twice, also not after it was taken away and made anew. */
  readonly revision: number;
  /** JSON object. */
  readonly document: string;
}

export interface Controls {
  /** Rises with every change of any of them, and with every pause and resume. 0: nothing was ever changed. */
  readonly revision: number;
  readonly nowMs: number;
  /** By kind and key. */
  readonly all: readonly Control[];
  readonly pauses: readonly Pause[];
}

/** Writes a document, if it is still at the revision that the writer has seen: read, decide, write, or read again. */
export interface ControlCommand {
  readonly kind: 'control';
  readonly of: ControlKind;
  readonly key: string;
  /** 0: there is none. */
  readonly expect: number;
  /** JSON object. Absent: takes it away. */
  readonly document?: string | undefined;
  /**
   * JSON object for the audit log: event `control`, subject `<kind>:<key>`. Absent: no record, for what is mere counting.
   */
  readonly note?: string | undefined;
}

/** `changed`: somebody else was faster. `full`: there are `MAX_CONTROLS` of its kind already. Nothing is written, nor noted. */
export type ControlResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly refusal: 'changed' | 'full' };

/**
 * Makes parked jobs of one cause ready, at most `limit` (1 to 1,000), whether they are due or not: the highest priority
 * first, then the earliest due time, then id.
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
  /** Whether there are more of them. */
  readonly more: boolean;
}

export interface Park {
  readonly cause: string;
  /** At most `MAX_PARK_COUNT`. */
  readonly count: number;
  /** There are more. */
  readonly bounded: boolean;
}
