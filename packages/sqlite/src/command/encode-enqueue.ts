import {
  type EnqueueCommand,
  encodeAttempts,
  enqueueDetail,
  NO_ATTEMPTS,
  newLife,
  type Payload,
} from '@redrive/durable/store';
import { encodeLife } from '../job/life-code.ts';
import { encodeSpec } from '../job/spec-code.ts';
import { ENQUEUE_FORM, type EncodedEnqueue, type EnqueueForm } from './encoded.ts';
import { atMsOf, inMsOf } from './moments.ts';

export function encodeEnqueue(command: EnqueueCommand): EncodedEnqueue {
  const { id, payload } = command.job;
  return ['enqueue', formOf(command), id, payloadOf(payload)];
}

/** Of the last plain job: the next one is mostly like it. */
let lastPlain:
  | { readonly form: EnqueueForm; readonly by: string; readonly why: unknown }
  | undefined;

/** The same object for plain jobs that differ only in id and payload: making its texts costs most of an enqueue. */
function formOf(command: EnqueueCommand): EnqueueForm {
  if (!isPlain(command)) return newForm(command);
  const { job, onConflict, actor } = command;
  if (lastPlain !== undefined) {
    const { form, by, why } = lastPlain;
    const isSame =
      form[ENQUEUE_FORM.handler] === job.handler &&
      form[ENQUEUE_FORM.queue] === job.queue &&
      form[ENQUEUE_FORM.tenant] === job.tenant &&
      form[ENQUEUE_FORM.priority] === job.priority &&
      form[ENQUEUE_FORM.onConflict] === onConflict &&
      by === actor.name &&
      why === actor.why;
    if (isSame) return form;
  }
  const form = newForm(command);
  lastPlain = { form, by: actor.name, why: actor.why };
  return form;
}

/** Whether nothing was said about a job but what `formOf` compares. */
function isPlain({ job, due, deadline, account, attempts, errorClass }: EnqueueCommand): boolean {
  return (
    due === undefined &&
    deadline === undefined &&
    job.sessionId === job.id &&
    job.idempotencyKey === job.id &&
    job.uniqueKey === undefined &&
    job.limitKey === undefined &&
    job.policyId === undefined &&
    job.correlationId === undefined &&
    job.traceId === undefined &&
    errorClass === undefined &&
    attempts === undefined &&
    account.claims === 0 &&
    account.generation === 1 &&
    account.executions === 0 &&
    job.tags.length === 0 &&
    isEmpty(job.headers)
  );
}

function newForm(command: EnqueueCommand): EnqueueForm {
  const { job, due, deadline, onConflict, account } = command;
  return [
    job.queue,
    job.handler,
    job.tenant,
    job.priority,
    job.uniqueKey ?? null,
    job.limitKey === undefined ? null : JSON.stringify([job.handler, job.limitKey]),
    encodeSpec(job),
    atMsOf(due),
    inMsOf(due),
    atMsOf(deadline),
    inMsOf(deadline),
    onConflict,
    firstLife(command),
    account.generation,
    account.executions,
    enqueueDetail(command),
    encodeAttempts(command.attempts ?? NO_ATTEMPTS),
  ];
}

/** NULL for a job of its own; a session that was handed over brings what it has been through. */
function firstLife(command: EnqueueCommand): string | null {
  const { account, errorClass } = command;
  const isOpen = account.claims === 0 && account.generation === 1 && account.executions === 0;
  if (isOpen && errorClass === undefined) return null;
  const { retryCount } = newLife(command, 0);
  return encodeLife({ account, retryCount, errorClass });
}

/** Bytes of their own: the caller may write to his, and a view would take its whole buffer along. */
export function payloadOf(payload: Payload): string | Uint8Array {
  return payload.kind === 'json' ? payload.text : Uint8Array.from(payload.bytes);
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}
