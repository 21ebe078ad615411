import { type DeadLetterEnvelope, deadLetterOf } from '../dead-letter/envelope.ts';
import type { ShownValues } from '../dead-letter/redact.ts';
import type { StoredDocument } from '../document-source/document-source.ts';
import type { JobAttempt } from '../job/attempt-log.ts';
import { accountOf } from '../jobs/hand-over.ts';
import { failedPages } from './act-on-documents.ts';
import { stuckError } from './decide-document.ts';
import { DOCUMENT_QUEUE } from './document-command.ts';
import { handlerOf, type Sweep, sessionOf } from './sweep.ts';

/** The failed documents of a collection as dead letters, each with the whole document as its original event. */
export async function* failedLetters(
  sweep: Sweep,
  shown: ShownValues,
  signal?: AbortSignal,
): AsyncGenerator<DeadLetterEnvelope> {
  const { fields } = sweep.collection;
  const collection = { ...sweep.collection, fields: { ...fields, read: 'all' } as const };
  for await (const { documents, nowMs } of failedPages({ ...sweep, collection })) {
    signal?.throwIfAborted();
    for (const document of documents) yield letterOf(sweep, document, nowMs, shown);
  }
}

function letterOf(
  sweep: Sweep,
  document: StoredDocument,
  nowMs: number,
  shown: ShownValues,
): DeadLetterEnvelope {
  const { name, policy } = sweep;
  const { id, count, timeMs, mark, values } = document;
  const attempts = Number.isSafeInteger(count) ? Number(count) : 0;
  const diedAtMs = mark?.atMs ?? timeMs ?? nowMs;
  const last: JobAttempt = {
    ...{ generation: 1, attempt: Math.max(1, attempts), durationMs: 0, delayBeforeMs: 0 },
    startedAtMs: timeMs ?? diedAtMs,
    ...{ entry: 'failed', action: 'give-up', reason: 'max_attempts_exceeded' },
    error: stuckError(document),
    ...{ worker: '', policyId: policy.id, policyHash: '', maxAttempts: policy.maxAttempts },
  };
  const letter: Parameters<typeof deadLetterOf>[0] = {
    id: mark?.event ?? id,
    sessionId: sessionOf(sweep, id),
    idempotencyKey: id,
    origin: { rung: 'document', bus: sweep.event.bus, source: name },
    ...{ handler: handlerOf(sweep), queue: DOCUMENT_QUEUE, tenant: '' },
    payload: { kind: 'json', text: JSON.stringify(values) },
    headers: {},
    reason: 'max_attempts_exceeded',
    errorClass: 'retryable',
    account: accountOf(attempts),
    attempts: { kept: [last], omitted: Math.max(0, attempts - 1) },
    submittedAtMs: document.createdMs ?? timeMs ?? diedAtMs,
    finishedAtMs: diedAtMs,
  };
  return deadLetterOf(letter, { payload: shown });
}
