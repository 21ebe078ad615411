import { type DeadLetterEnvelope, deadLetterOf } from '@redrive/durable/dead-letters';
import type { StoredDocument, Sweep } from '@redrive/durable/documents';
import {
  accountOf,
  DOCUMENT_QUEUE,
  handlerOf,
  type JobAttempt,
  sessionOf,
  stuckError,
} from '@redrive/durable/store';

/** A failed document as a dead letter: the form that all exports have. */
export function documentLetter(
  sweep: Sweep,
  document: StoredDocument,
  nowMs: number,
): DeadLetterEnvelope {
  const { name, policy } = sweep;
  const { id, count, timeMs, status, mark, values } = document;
  const attempts = Number.isSafeInteger(count) ? Number(count) : 0;
  const diedAtMs = mark?.atMs ?? timeMs ?? nowMs;
  const last: JobAttempt = {
    ...{ generation: 1, attempt: Math.max(1, attempts), durationMs: 0, delayBeforeMs: 0 },
    startedAtMs: timeMs ?? diedAtMs,
    ...{ entry: 'failed', action: 'give-up', reason: 'max_attempts_exceeded' },
    error: stuckError(document),
    ...{ worker: '', policyId: policy.id, policyHash: '', maxAttempts: policy.maxAttempts },
  };
  return deadLetterOf({
    id: mark?.event ?? id,
    sessionId: sessionOf(sweep, id),
    idempotencyKey: id,
    origin: { rung: 'document', bus: sweep.event.bus, source: name },
    ...{ handler: handlerOf(sweep), queue: DOCUMENT_QUEUE, tenant: '' },
    payload: { kind: 'json', text: JSON.stringify({ id, status, attemptCount: count, ...values }) },
    headers: {},
    reason: 'max_attempts_exceeded',
    errorClass: 'retryable',
    account: accountOf(attempts),
    attempts: { kept: [last], omitted: Math.max(0, attempts - 1) },
    submittedAtMs: document.createdMs ?? timeMs ?? diedAtMs,
    finishedAtMs: diedAtMs,
  });
}
