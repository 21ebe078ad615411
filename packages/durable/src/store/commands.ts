import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { FieldRule } from '@redrive/core/fields';
import { type AttemptAccount, maskSecrets } from '@redrive/core/stored';
import type { NoteEvent } from '../audit/audit-block.ts';
import type {
  BatchCommand,
  BatchResult,
  EndBatchesCommand,
  EndBatchesResult,
} from '../batch/batch.ts';
import type {
  ControlCommand,
  ControlResult,
  ReleaseCommand,
  ReleaseResult,
} from '../control/control-store.ts';
import type { ClaimRate } from '../control/rules/rate.ts';
import type { ErrorFingerprint } from '../dead-letter/fingerprint.ts';
import type { AttemptLog } from '../job/attempt-log.ts';
import type { JobSpec, LeasedJob, Payload } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import type { Suspect } from '../job/suspects.ts';
import type { Refusal } from '../job/transition.ts';
import type { FollowRefused } from './follow-ups.ts';

// Plain data throughout: commands and results cross threads and processes. A refusal is a result, not an exception.

/** A moment of the store's clock: absolute, or a duration after the command is carried out. */
export type Moment = { readonly atMs: number } | { readonly inMs: number };

/** The person or process that acts, for the audit log. */
export interface Actor {
  /** `worker:<id>`, `cli:<user>@<host>`, or what an application says. */
  readonly name: string;
  /** In words. Kept with its secrets masked, at most 500 characters. */
  readonly why?: string | undefined;
}

/** For options: plain JavaScript may pass the name alone. */
export const anActor: FieldRule = {
  kind: 'check',
  must: 'an object with a name, and perhaps why',
  obeys: (value) => typeof Object(value).name === 'string',
};

export interface EnqueueCommand {
  readonly kind: 'enqueue';
  readonly job: Omit<JobSpec, 'submittedAtMs'>;
  /** Absent: at once. */
  readonly due?: Moment | undefined;
  readonly deadline?: Moment | undefined;
  /**
   * When an unfinished job has the unique key: `existing` answers with that one, `refuse` refuses, `replace` gives it
   * this payload, headers, tags, priority, due time and deadline, unless it is leased (then it answers with it as it is).
   * `replace` refuses a job of another handler or tenant.
   */
  readonly onConflict: 'existing' | 'refuse' | 'replace';
  /**
   * The unique key also counts for this time after the job's submission, whatever becomes of the job: a later enqueue that
   * says such a time too finds it finished, purged or deleted. Absent: while the job is unfinished.
   */
  readonly uniqueForMs?: number | undefined;
  /** Open, or of a session that was handed over. */
  readonly account: AttemptAccount;
  /** Attempts that the session made before it was handed over. Absent: none. */
  readonly attempts?: AttemptLog | undefined;
  readonly errorClass?: ErrorClass | undefined;
  /** The job is dead from the start, for this reason: a dead letter with one audit record. Its unique key is not looked at. */
  readonly dead?:
    | {
        readonly reason: ReasonCode;
        /** Its cause by the rules in force. Default: the one without rules. */
        readonly group?: ErrorFingerprint | undefined;
      }
    | undefined;
  readonly actor: Actor;
}

export type EnqueueResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly outcome: 'created' | 'existing' | 'replaced';
    }
  /**
   * `unique_conflict`: `id` is the job that has the key, which may be deleted. A job with this id exists, and stays as it is:
   * `idempotency_conflict`: the command has a digest, and the job another one or none. `duplicate_id`: the command has none.
   * With the job's digest the answer is `existing`. `batch_closed`: the job's batch is sealed, or its tenant has none with
   * this id; `id` is the one of the job.
   */
  | {
      readonly ok: false;
      readonly refusal:
        | 'unique_conflict'
        | 'duplicate_id'
        | 'idempotency_conflict'
        | 'batch_closed';
      readonly id: string;
    };

/** One handler that a worker has room for. */
export interface ClaimLane {
  readonly handler: string;
  /** Jobs of it that may run now. */
  readonly limit: number;
  /** Version of the policy that its attempts go by; registered with `registerPolicies` before. */
  readonly policyHash: string;
  /** Jobs with one `limitKey` that may be leased at once, over all processes. */
  readonly limitPerKey: number;
}

/**
 * Takes ready jobs, in the order of the queue: priority; within it tenants take turns, one job each, beginning after
 * `afterTenant`; within a tenant submission time, then id. Scheduled jobs that are due are promoted first. Paused queues
 * and handlers, what a kill switch stops, and jobs past their deadline are passed over. May take fewer than there are: `more` says so.
 */
export interface ClaimCommand {
  readonly kind: 'claim';
  readonly worker: string;
  readonly leaseMs: number;
  /** At least one. A handler that is not named is not taken. */
  readonly lanes: readonly ClaimLane[];
  /** Of all lanes together, not counting `ahead`. */
  readonly limit: number;
  /**
   * So many more may be taken ahead, over the lanes' limits too, but none that a crash of the worker would hurt: no job
   * that has lost a lease before, and none whose deadline is less than two leases away.
   */
  readonly ahead: number;
  /** Absent: all. */
  readonly queues?: readonly string[] | undefined;
  /** The tenant whose turn was last. */
  readonly afterTenant?: string | undefined;
  /**
   * Jobs that have lost more leases than this in their generation are passed over, and named in `suspects`. Absent: none
   * is.
   */
  readonly maxLosses?: number | undefined;
  /** These jobs alone, in this order; `ahead` is 0 then, and nobody's turn changes. Absent: all. */
  readonly only?: readonly string[] | undefined;
  /** The worker holds nothing else, and claims nothing else while it holds what this claim takes: one job at most. */
  readonly alone?: boolean | undefined;
  /**
   * Limits on starts, each name once: every taken job counts as a start, in the transaction of the claim. A job above one
   * stays ready, and keeps no other job back. `ahead` is 0 then. Absent: none.
   */
  readonly rates?: readonly ClaimRate[] | undefined;
}

export interface ClaimResult {
  readonly ok: true;
  readonly jobs: readonly LeasedJob[];
  /** The tenant whose turn was last: `afterTenant` of the next claim. */
  readonly lastTenant?: string | undefined;
  /** Whether it is worth to claim again at once. */
  readonly more: boolean;
  /** The store's time of the claim. */
  readonly nowMs: number;
  /**
   * Until the next scheduled job is due, or a rate of the claim that keeps jobs back lets one start; absent when there is
   * none.
   */
  readonly nextDueInMs?: number | undefined;
  /**
   * Jobs that were passed over because of `maxLosses`, as far as the claim has looked: `MAX_SUSPECTS` at most, the first
   * ones of the queue. Absent: none was.
   */
  readonly suspects?: readonly Suspect[] | undefined;
}

export interface SettleCommand {
  readonly kind: 'settle';
  readonly settlement: Settlement;
}

export type SettleResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: Refusal | 'not_found' }
  | FollowRefused;

/**
 * The changes that time alone brings, at most `limit` jobs of each kind: promotes due scheduled jobs, releases due
 * parked ones, and gives up jobs that are past their deadline. Expired leases are not in it: they need a decision
 * (`expiredLeases`).
 */
export interface TickCommand {
  readonly kind: 'tick';
  readonly limit: number;
  readonly actor: Actor;
}

/** Jobs of one handler and queue that were given up, because their deadline passed while they waited. */
export interface ExpiredJobs {
  readonly handler: string;
  readonly queue: string;
  readonly count: number;
}

/** Counts expired jobs, for `TickResult.expiredBy`. */
export function expiredJobs(
  jobs: Iterable<Pick<ExpiredJobs, 'handler' | 'queue'>>,
): readonly ExpiredJobs[] | undefined {
  const counts = new Map<string, ExpiredJobs>();
  for (const { handler, queue } of jobs) {
    const key = JSON.stringify([handler, queue]);
    counts.set(key, { handler, queue, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  if (counts.size === 0) return undefined;
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, jobsOf]) => jobsOf);
}

export interface TickResult {
  readonly ok: true;
  readonly promoted: number;
  readonly released: number;
  readonly expired: number;
  /** The expired jobs by handler and queue, in this order. Absent: none. */
  readonly expiredBy?: readonly ExpiredJobs[] | undefined;
  /** Whether any of them reached the limit. */
  readonly more: boolean;
}

/** An operator's act on one job. */
export interface ActCommand {
  readonly kind: 'act';
  readonly act:
    | 'cancel'
    | 'run_now'
    | 'unpark'
    | 'requeue'
    | 'reset'
    | 'purge'
    | 'restore'
    | 'regroup';
  readonly id: string;
  readonly actor: Actor;
  /** Only if it is still in this one; otherwise it is refused as `changed`. Absent: in any. */
  readonly generation?: number | undefined;
  /** `requeue` only: the new generation's. Absent: none. */
  readonly deadline?: Moment | undefined;
  /** `requeue` only: what the new generation gets instead. The old one is kept (`earlierPayloads`). */
  readonly payload?: Payload | undefined;
  /** `regroup` only, and always: the cause that the dead letter moves to. */
  readonly group?: ActGroup | undefined;
  /** The operation that it is part of, for the record. */
  readonly operation?: string | undefined;
}

/** The cause that a dead letter moves to. */
export interface ActGroup extends ErrorFingerprint {
  /** The cause gets this pattern although it has one already: people named it. Default `false`. */
  readonly rename?: boolean | undefined;
}

export type ActResult =
  | { readonly ok: true; readonly state: LeasedJob['state'] | string }
  | { readonly ok: false; readonly refusal: Refusal | 'not_found' | 'unique_conflict' | 'changed' };

/** Deletes finished jobs for good, the oldest first, at most `limit`. The times count back from the store's now. */
export interface PruneCommand {
  readonly kind: 'prune';
  readonly succeededAfterMs: number;
  readonly cancelledAfterMs: number;
  readonly deadAfterMs: number;
  /** Counted from when they were purged. */
  readonly purgedAfterMs: number;
  readonly limit: number;
  /** Only these, where they still have this revision: what was archived before. Absent: all whose time is over. */
  readonly only?: readonly { readonly id: string; readonly revision: number }[] | undefined;
  readonly actor: Actor;
}

export interface PruneResult {
  readonly ok: true;
  readonly deleted: number;
  readonly more: boolean;
}

/** Writes an audit record that is not a transition of a job. */
export interface NoteCommand {
  readonly kind: 'note';
  readonly event: Exclude<NoteEvent, 'control'>;
  /** The thing that it is about: a session's id, a file, a command. */
  readonly subject: string;
  /** JSON object. Never a payload or a result. */
  readonly detail: string;
  /** The log gets one such note, of all processes. Default: it gets every note. */
  readonly once?: NoteOnce | undefined;
}

export interface NoteOnce {
  /** Kept with the idempotency keys of the store. Begin it with a word of its own, such as `read:`. */
  readonly key: string;
  /** The key counts for this time after the note. */
  readonly forMs: number;
}

export interface NoteResult {
  readonly ok: true;
}

export type Command =
  | EnqueueCommand
  | ClaimCommand
  | SettleCommand
  | TickCommand
  | ActCommand
  | PruneCommand
  | NoteCommand
  | ControlCommand
  | ReleaseCommand
  | BatchCommand
  | EndBatchesCommand;

/** The result of each kind of command. */
export interface Results {
  enqueue: EnqueueResult;
  claim: ClaimResult;
  settle: SettleResult;
  tick: TickResult;
  act: ActResult;
  prune: PruneResult;
  note: NoteResult;
  control: ControlResult;
  release: ReleaseResult;
  batch: BatchResult;
  end_batches: EndBatchesResult;
}

export type ResultOf<C extends Command> = Results[C['kind']];
export type Result = Results[keyof Results];
/** The results of a list of commands, in their order. */
export type ResultsOf<Cs extends readonly Command[]> = {
  readonly [I in keyof Cs]: Cs[I] extends Command ? ResultOf<Cs[I]> : never;
};

/** A moment as a time of the store's clock. */
export function momentMs(moment: Moment, nowMs: number): number {
  return 'atMs' in moment ? moment.atMs : nowMs + moment.inMs;
}

/**
 * A time or a duration as stores write it: whole milliseconds, rounded up. `null` is for ever: `Infinity`, and whatever is
 * longer than can be written.
 */
export function wholeMs(ms: number): number | null {
  const whole = Math.ceil(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}

const MAX_WHY = 500;

/** An operator's reason as it is stored: secrets masked, at most 500 characters. */
export function keptWhy(why: string | undefined): string | undefined {
  return why === undefined ? undefined : maskSecrets(why, MAX_WHY);
}
