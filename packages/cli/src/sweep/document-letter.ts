import type { DeadLetterEnvelope } from '@redrive/durable/dead-letters';
import type { StoredDocument, Sweep } from '@redrive/durable/documents';
import {
  DOCUMENT_QUEUE,
  envelopeOf,
  handlerOf,
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
  const handler = handlerOf(sweep);
  const diedAtMs = mark?.atMs ?? timeMs ?? nowMs;
  const last = {
    ...{ generation: 1, attempt: Math.max(1, attempts), durationMs: 0, delayBeforeMs: 0 },
    startedAtMs: timeMs ?? diedAtMs,
    entry: 'failed',
    error: stuckError(document),
    reason: 'max_attempts_exceeded',
  } as const;
  return envelopeOf({
    id: mark?.event ?? id,
    sessionId: sessionOf(sweep, id),
    idempotencyKey: id,
    origin: {
      rung: 'document',
      bus: sweep.event.bus,
      service: name,
      handler,
      queue: DOCUMENT_QUEUE,
    },
    payload: { kind: 'json', text: JSON.stringify({ id, status, attemptCount: count, ...values }) },
    headers: {},
    policy: { id: policy.id, hash: '', maxAttempts: policy.maxAttempts },
    reason: 'max_attempts_exceeded',
    errorClass: 'retryable',
    generation: 1,
    chargedAttempts: attempts,
    executions: attempts,
    attempts: [last],
    omittedAttempts: Math.max(0, attempts - 1),
    submittedAtMs: document.createdMs ?? timeMs ?? diedAtMs,
    diedAtMs,
  });
}
