import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { AttemptAccount } from '@redrive/core/stored';
import type { RecordDetail } from '../audit/record-detail.ts';
import type { ErrorFingerprint } from '../dead-letter/fingerprint.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { AttemptLog, JobAttempt } from './attempt-log.ts';

/** The state after an attempt. `ready` is a release: a graceful stop gave the attempt back. (A store
 * also makes a `scheduled` job ready that is due at once.) */
export type SettledState = 'succeeded' | 'scheduled' | 'ready' | 'parked' | 'dead' | 'cancelled';

/** The finished attempt, and the log that it goes into. */
export interface Added {
  readonly to: AttemptLog;
  readonly attempt: JobAttempt;
}

/**
 * The outcome of an attempt, as a worker or the rescue of expired leases asks the store to write it. Core has decided
 * everything in it; the store checks the token, adds its own clock, and writes. The detail of its record has no payload and no
 * result.
 */
export interface Settlement extends RecordDetail {
  readonly id: string;
  readonly token: number;
  /** `held`: by the worker that holds the lease. `expired`: by the rescue; refused while the lease is valid. */
  readonly by: 'held' | 'expired';
  readonly to: SettledState;
  /** `scheduled` and `parked`: from the store's now. A `scheduled` one that is due at once is ready at once. */
  readonly dueInMs?: number | undefined;
  /** `parked` only. */
  readonly cause?: string | undefined;
  /** The account after this attempt was settled. */
  readonly account: AttemptAccount;
  readonly retryCount: number;
  readonly errorClass?: ErrorClass | undefined;
  readonly reason: ReasonCode;
  readonly attempts: AttemptLog;
  /** `dead` only: the group of its cause. */
  readonly group?: ErrorFingerprint | undefined;
  /**
   * The entries by which `attempts` grew, so that a store which has the log as a text can append them without reading
   * it.
   */
  readonly added?: Added | undefined;
  /** `succeeded` only: JSON, already within its limit. */
  readonly result?: string | undefined;
  readonly resultOmittedBytes?: number | undefined;
  /** Jobs that are stored with it: see `follow-ups.ts`. Only where `to` is final. Absent: none. */
  readonly follow?: readonly EnqueueCommand[] | undefined;
}
