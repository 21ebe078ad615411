import {
  type Clock,
  classify,
  type ErrorClass,
  type HandedOverWork,
  type HandOver,
  type ReasonCode,
  RedriveError,
} from '@redrive/core';
import { refuse } from '@redrive/core/fields';
import { hashPolicy } from '@redrive/core/records';
import {
  type AttemptAccount,
  DECIDE_VERSION,
  openAccount,
  sanitiseError,
} from '@redrive/core/stored';
import { type AttemptLog, addAttempt, type JobAttempt, NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { JobOrigin, JobSpec, Payload } from '../job/job.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { ConfiguredPolicies } from '../worker/configured-policies.ts';
import type { Enqueuer } from './enqueuer.ts';
import { checkPayloadSize, encodePayload, isSamePayload } from './payload.ts';
import { redactHeaders } from './redact-headers.ts';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, textProblem } from './text-problem.ts';

interface HandOverParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly enqueuer: Enqueuer;
  readonly maxPayloadBytes: number;
  readonly policies: Pick<ConfiguredPolicies, 'get'>;
  readonly actor: Actor;
}

/** An event that goes on as a job of its source, on its own rung: its attempts count there. */
export interface EventWork extends HandedOverWork {
  readonly rung: 'event';
  readonly origin: JobOrigin;
  /** It was given up for this reason: stored as a dead letter. Absent: it goes on. */
  readonly dead?: ReasonCode | undefined;
  /** The message as a source stores it. Absent: the payload is encoded, and no headers are kept. */
  readonly message?: Pick<JobSpec, 'payload' | 'headers'> | undefined;
}

/**
 * The next rung for a call whose wait is too long: its session goes on as a scheduled job, with its ids, its history, its
 * deadline and the wait that made it climb. A call's account is new: attempts are limited per rung. The job's id is the session's, so that a second hand-over of the same session
 * finds the first one.
 */
export function handOverTo(parts: HandOverParts): HandOver {
  return {
    check: (work) => void checkedPayload(work, parts),
    async handOver(work) {
      const command = commandOf(work, parts);
      const [result] = await parts.store.apply([command]);
      // Nothing but its id is unique in it: a refusal says that a job has the id.
      if (!result.ok) await checkSameWork(parts.store, command);
    },
  };
}

/**
 * The same work may arrive twice: an answer that got lost. Other work under the same id is not stored, so its call must
 * not report `handed_over`.
 *
 * @throws RedriveError `unique_conflict`.
 */
async function checkSameWork(store: Store, { job }: EnqueueCommand): Promise<void> {
  const { id, handler, payload } = job;
  const existing = await store.job(id);
  if (existing?.handler === handler && isSamePayload(existing.payload, payload)) return;
  const holder = existing === undefined ? 'Another job' : `A job of ${existing.handler}`;
  throw new RedriveError(
    'unique_conflict',
    `${holder} has the session id ${id}, with other work: this call of ${handler} was not stored. ` +
      'Give each session its own id.',
    { id, handler: existing?.handler },
  );
}

/**
 * The payload as it is stored.
 *
 * @throws RedriveError `invalid_job`, `payload_too_large` or `unknown_handler`.
 */
function checkedPayload(work: HandedOverWork, parts: HandOverParts): Payload {
  const { sessionId, handler, tenantId = '', correlationId, traceId, idempotencyKey } = work;
  parts.enqueuer.checkHandler(handler);
  const payload =
    (work as Partial<EventWork>).message?.payload ?? // Only events have it.
    encodePayload(handler, work.payload, parts.maxPayloadBytes);
  const problems = [
    'kind' in payload ? undefined : payload,
    textProblem('sessionId', sessionId, MAX_KEY_LENGTH),
    textProblem('tenantId', tenantId, MAX_NAME_LENGTH, { empty: true }),
    textProblem('correlationId', correlationId, MAX_KEY_LENGTH),
    textProblem('traceId', traceId, MAX_KEY_LENGTH),
    textProblem('idempotencyKey', idempotencyKey, MAX_KEY_LENGTH),
  ].filter((problem) => problem !== undefined);
  refuse('invalid_job', 'session to hand over', problems);
  if (!('kind' in payload)) throw new RedriveError('invalid_job', payload.message); // Refused above.
  checkPayloadSize(handler, payload, parts.maxPayloadBytes);
  return payload;
}

function commandOf(work: HandedOverWork, parts: HandOverParts): EnqueueCommand {
  const { sessionId, handler, tenantId = '', correlationId, traceId, idempotencyKey } = work;
  // Only events have this rung.
  const event = work.rung === 'event' ? (work as EventWork) : undefined;
  const payload = checkedPayload(work, parts);
  return {
    kind: 'enqueue',
    job: {
      id: sessionId,
      handler,
      queue: event?.origin.source ?? 'default',
      tenant: tenantId,
      priority: 0,
      tags: [],
      headers: event?.message?.headers ?? redactHeaders(work.headers ?? {}),
      payload,
      sessionId,
      // A policy that only the call knew cannot be found again: then the handler's is in force.
      policyId: parts.policies.get(work.policyId) === undefined ? undefined : work.policyId,
      onDead: parts.enqueuer.onDeadOf(handler),
      correlationId,
      traceId,
      idempotencyKey,
      ...(event && { origin: event.origin }),
    },
    due: event?.dead ? undefined : { inMs: work.delayMs },
    deadline: work.timeLeftMs === Infinity ? undefined : { inMs: Math.floor(work.timeLeftMs) },
    onConflict: 'existing',
    // Attempts are limited per rung; only the executions of a call go on.
    account: event
      ? accountOf(work.totalAttempts, work.delayMs)
      : { ...openAccount(), executions: work.totalAttempts },
    attempts: handedOverAttempts(work, parts.actor.name),
    errorClass: work.attempts.length === 0 ? undefined : classOf(work, parts.clock),
    dead: event?.dead && { reason: event.dead },
    actor: parts.actor,
  };
}

/** An account with this many failed attempts. */
export function accountOf(failed: number, delayMs = 0): AttemptAccount {
  // Not attempt by attempt: the count of a document may be any number.
  const open = openAccount();
  return {
    ...open,
    claims: failed,
    executions: failed,
    entries: { ...open.entries, failed },
    lastDelayMs: failed > 0 ? delayMs : 0,
  };
}

/** The failure before this wait was retryable, or the session would not go on. */
function classOf({ lastError, attempts, totalAttempts }: HandedOverWork, clock: Clock): ErrorClass {
  const known = attempts.at(-1)?.errorClass;
  if (known !== undefined) return known;
  const context = { attempt: totalAttempts, nowMs: clock.now() };
  const { errorClass } = classify(lastError, {}, context);
  return errorClass === 'rate_limited' ? errorClass : 'retryable';
}

/**
 * The attempts of the rung before, as they are kept with the job: one history for the whole session. Past the limit of a
 * log the first one and the newest stay.
 *
 * @param by who made them: a call runs in no worker.
 */
export function handedOverAttempts(work: HandedOverWork, by: string): AttemptLog {
  const { attempts, policy, policyId, rung, totalAttempts } = work;
  const shared = {
    generation: 1,
    // In process every attempt counts.
    entry: 'failed',
    worker: by,
    policyId,
    policyHash: hashPolicy(policy),
    maxAttempts: policy.enabled ? policy.maxAttempts : 1,
    // Attempts of an event stay on the rung of its job.
    rung: rung === 'event' ? undefined : rung,
    decideVersion: DECIDE_VERSION,
  } as const;
  const { kept } = attempts.reduce(
    (log, attempt) => addAttempt(log, { ...shared, ...ownPart(attempt, work) }),
    NO_ATTEMPTS,
  );
  return { kept, omitted: Math.max(0, totalAttempts - kept.length) };
}

function ownPart(
  failed: HandedOverWork['attempts'][number],
  { totalAttempts, ...work }: HandedOverWork,
): Omit<JobAttempt, 'generation' | 'entry' | 'worker' | 'policyHash' | 'maxAttempts'> {
  const { attempt, startedAtMs, durationMs, delayBeforeMs, delayMs, errorClass, reason } = failed;
  return {
    attempt,
    startedAtMs,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    delayBeforeMs,
    delayMs,
    errorClass,
    reason,
    action:
      attempt < totalAttempts ? 'retry' : 'dead' in work && work.dead ? 'give-up' : 'hand-over',
    error: sanitiseError(failed.error),
  };
}
