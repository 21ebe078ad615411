import type { Compressed } from '../audit/audit-store.ts';
import type { RemovedLetters } from '../audit/removed-letters.ts';
import type { Progress } from '../job/progress.ts';
import type { ExpiredJobs } from '../store/commands.ts';

/** Something about the worker itself that an operator wants to know. */
export type Notice =
  /** Without `queues` it works on all of them. */
  | {
      readonly kind: 'started';
      readonly worker: string;
      readonly handlers: readonly string[];
      readonly queues?: readonly string[] | undefined;
    }
  | { readonly kind: 'stopping'; readonly mode: 'finish' | 'release'; readonly running: number }
  | { readonly kind: 'stopped'; readonly abandoned: number }
  /** An attempt went on past its lease; its settlement will be refused. */
  | { readonly kind: 'lease_lost'; readonly jobId: string; readonly handler: string }
  /** An attempt has made no progress for longer than its handler's `stallAfterMs`. Given once per stall. */
  | {
      readonly kind: 'attempt_stalled';
      readonly jobId: string;
      readonly handler: string;
      readonly forMs: number;
      /** The last that it reported. Absent: nothing. */
      readonly progress?: Progress | undefined;
    }
  /**
   * Code of the application threw where it must not: a breaker, a budget, or a getter of the handler's answer. If the
   * outcome of the attempt is then unknown, it counts as failed.
   */
  | {
      readonly kind: 'attempt_error';
      readonly jobId: string;
      readonly handler: string;
      readonly error: unknown;
    }
  /** Parts of a result were stored as something else, or none of it, because JSON has none of their kind. The job has succeeded. */
  | {
      readonly kind: 'result_altered';
      readonly jobId: string;
      readonly handler: string;
      /** The first few, with their paths: `result.total is NaN`. Or `result is not stored`, and why. */
      readonly losses: readonly string[];
    }
  /** A late settlement was refused: another worker has the job. */
  | { readonly kind: 'stale_settlement'; readonly jobId: string; readonly refusal: string }
  /** An expired lease of another worker was settled. */
  | {
      readonly kind: 'rescued';
      readonly jobId: string;
      readonly handler: string;
      readonly worker: string;
      /** Leases that the job has lost in its generation, this one included. */
      readonly losses: number;
      /** The worker held nothing else: the loss is charged to the job. */
      readonly alone: boolean;
    }
  | { readonly kind: 'store_unavailable'; readonly error: unknown; readonly retryInMs: number }
  | { readonly kind: 'store_back'; readonly afterMs: number }
  /**
   * The store is there, but a question of the upkeep failed: something in it cannot be read. The work goes on. Given
   * once a minute at most.
   */
  | { readonly kind: 'store_error'; readonly error: unknown }
  /** A job's row cannot be read: it is set aside, nothing of it is lost, and the others go on. Given once per row. */
  | { readonly kind: 'job_set_aside'; readonly jobId: string; readonly problem: string }
  /** A job names a policy that nobody knows: the handler's is used. */
  | { readonly kind: 'unknown_policy'; readonly policy: string; readonly handler: string }
  /**
   * The option `policies` threw, or answered with something that is not a policy. The last good policy of that name
   * stays in force; where there is none, that of the handler, or `runs.default`. Given once until the answer changes.
   */
  | { readonly kind: 'invalid_policy'; readonly policy: string; readonly error: unknown }
  /** Jobs were given up, because their deadline passed while they waited: they are dead letters without another attempt. */
  | { readonly kind: 'expired'; readonly jobs: readonly ExpiredJobs[] }
  | { readonly kind: 'pruned'; readonly deleted: number }
  /** Dead letters were sent back, purged or deleted, by any process: this worker has sealed the records of it. */
  | { readonly kind: 'letters_removed'; readonly removed: RemovedLetters }
  /** Dead letters were given to the archive and then deleted. */
  | { readonly kind: 'archived'; readonly letters: number }
  /** The archive did not take this number of dead letters: they stay, and it is asked again. */
  | { readonly kind: 'archive_failed'; readonly error: unknown; readonly letters: number }
  /** The kill switches could not be read for this time: no new attempt starts until they are. */
  | { readonly kind: 'controls_unconfirmed'; readonly forMs: number; readonly error?: unknown }
  | { readonly kind: 'controls_confirmed'; readonly afterMs: number }
  /** A kill switch or a pause covers work from now on (`seen`) or no longer (`gone`), or a gate has closed or opened. */
  | {
      readonly kind: 'control_seen' | 'control_gone';
      readonly control: 'kill' | 'pause' | 'gate';
      readonly name: string;
      readonly by?: string | undefined;
      readonly why?: string | undefined;
      /** Of a gate that has closed. */
      readonly opensInMs?: number | undefined;
    }
  /** Ticks of a schedule passed while no worker ran or while it was stopped, and were not enqueued. */
  | { readonly kind: 'ticks_missed'; readonly schedule: string; readonly missed: number }
  /** A tick enqueued nothing, because the job of an earlier one is unfinished. */
  | {
      readonly kind: 'tick_skipped';
      readonly schedule: string;
      readonly tickMs: number;
      readonly jobId: string;
    }
  /** A document is beyond its attempts: it is marked as failed, and is a dead letter. */
  | {
      readonly kind: 'document_failed';
      readonly collection: string;
      readonly document: string;
      /** ISO 8601. `null`: it was never attempted. */
      readonly lastAttemptTime: string | null;
      readonly attemptCount: number;
      /** The last error that its owner kept in it. */
      readonly error?: string | undefined;
    }
  /** A document has a count, a time or an id that cannot be right: it is skipped and not changed. */
  | {
      readonly kind: 'document_invalid';
      readonly collection: string;
      readonly document: string;
      readonly problem: string;
    }
  /** A sweep claims nothing: a kill switch, a pause, a breaker, a gate or a hold is in the way. */
  | { readonly kind: 'sweep_stopped'; readonly collection: string; readonly why: string }
  | { readonly kind: 'sweep_failed'; readonly collection: string; readonly error: unknown }
  /** Old blocks of the audit log were compressed. */
  | ({ readonly kind: 'audit_compressed' } & Compressed)
  /** The store does not list this worker, or not any more: it could not report itself. Given once until it works. */
  | { readonly kind: 'report_failed'; readonly error: unknown }
  /**
   * A source has `publishTo`, and the jobs have no handler `DEAD_LETTER_HANDLER`: only messages above 1 MiB are published
   * there, no dead letters. Given once by `consumeEvents`.
   */
  | {
      readonly kind: 'dead_letters_unpublished';
      readonly source: string;
      readonly publishTo: string;
    }
  /** The audit log could not be sealed. It is tried again; the notice is given once until it works. */
  | { readonly kind: 'seal_failed'; readonly error: unknown };
