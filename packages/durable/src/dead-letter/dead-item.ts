import type { ErrorClass, ReasonCode } from '@redrive/core';
import {
  type AttemptEntry,
  chargedAttempts,
  type Rung,
  type SanitisedError,
} from '@redrive/core/stored';
import { subsystemOf } from '../documents/subsystem-of.ts';
import { attemptsBefore } from '../job/attempt-log.ts';
import { type Job, type Payload, rungOf } from '../job/job.ts';
import { EXPIRED_GROUP } from './dead-group.ts';
import type { ErrorFingerprint } from './fingerprint.ts';

/** An item of any rung that was given up. All times are the store's. */
export interface DeadItem {
  readonly id: string;
  readonly sessionId: string;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly idempotencyKey: string;
  readonly origin: DeadLetterOrigin;
  readonly payload: Payload;
  readonly headers: Readonly<Record<string, string>>;
  readonly policy?:
    | { readonly id?: string | undefined; readonly hash: string; readonly maxAttempts: number }
    | undefined;
  readonly reason?: ReasonCode | undefined;
  /** Of its cause, where that is not its newest error. */
  readonly group?: ErrorFingerprint | undefined;
  readonly errorClass?: ErrorClass | undefined;
  readonly generation: number;
  /** Attempts of this generation that count, over all rungs. */
  readonly chargedAttempts: number;
  /** All attempts, over all generations and rungs. */
  readonly executions: number;
  /** The oldest first; the first one and the newest. */
  readonly attempts: readonly DeadAttempt[];
  readonly omittedAttempts: number;
  readonly submittedAtMs: number;
  readonly deadlineMs?: number | undefined;
  readonly diedAtMs: number;
}

/** Where it came from. */
export interface DeadLetterOrigin {
  readonly rung: Exclude<Rung, 'call'>;
  /** Absent: none. */
  readonly bus?: string | undefined;
  /** `service_name` of the dead letter: the source, or the first part of the handler's name. */
  readonly service: string;
  readonly handler: string;
  readonly queue: string;
  readonly tenant?: string | undefined;
}

export interface DeadAttempt {
  readonly generation: number;
  /** Absent: that of the item. */
  readonly rung?: Rung | undefined;
  /** Attempts of the session on earlier rungs. Absent: none. */
  readonly attemptsBefore?: number | undefined;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The wait before it. */
  readonly delayBeforeMs: number;
  /** The wait that followed. */
  readonly delayMs?: number | undefined;
  readonly entry: AttemptEntry;
  readonly errorClass?: ErrorClass | undefined;
  readonly error?: SanitisedError | undefined;
  readonly reason: ReasonCode;
}

/** A dead job as a dead item. */
export function deadItemOf(job: Job): DeadItem {
  const { account, attempts } = job;
  const newest = attempts.kept.at(-1);
  return {
    id: job.id,
    sessionId: job.sessionId,
    correlationId: job.correlationId,
    traceId: job.traceId,
    idempotencyKey: job.idempotencyKey,
    origin: {
      rung: rungOf(job),
      bus: job.origin?.bus,
      service: job.origin?.source ?? subsystemOf(job.handler),
      handler: job.handler,
      queue: job.queue,
      tenant: job.tenant === '' ? undefined : job.tenant,
    },
    payload: job.payload,
    headers: job.headers,
    policy: newest && {
      id: newest.policyId ?? job.policyId,
      hash: newest.policyHash,
      maxAttempts: newest.maxAttempts,
    },
    reason: job.reason,
    // Time alone did it, whatever errors there were before.
    group: job.fingerprint === EXPIRED_GROUP.fingerprint ? EXPIRED_GROUP : undefined,
    errorClass: job.errorClass,
    generation: account.generation,
    chargedAttempts: attemptsBefore(account) + chargedAttempts(account),
    executions: account.executions,
    attempts: attempts.kept,
    omittedAttempts: attempts.omitted,
    submittedAtMs: job.submittedAtMs,
    deadlineMs: job.deadlineMs,
    diedAtMs: job.finishedAtMs ?? job.submittedAtMs,
  };
}
