import {
  buriedGroupOf,
  type EnqueueCommand,
  encodeAttempts,
  encodeSpec,
  enqueueDetail,
  type JobOrigin,
  type Moment,
  NO_ATTEMPTS,
  newLife,
  type Payload,
} from '@redrive/durable/store';
import { encodeLife } from '../job/life-code.ts';
import { ENQUEUE_TEMPLATE, type EncodedEnqueue, type EnqueueTemplate } from './encoded.ts';

export function encodeEnqueue(command: EnqueueCommand): EncodedEnqueue {
  const { id, payload } = command.job;
  return ['enqueue', templateOf(command), id, payloadOf(payload)];
}

/** The template of the last plain job: the next job mostly has the same. */
let lastPlain:
  | {
      readonly template: EnqueueTemplate;
      readonly by: string;
      readonly why: unknown;
      readonly origin: JobOrigin | undefined;
    }
  | undefined;

/** The same object for plain jobs that differ only in id and payload: making its texts costs most of an enqueue. */
function templateOf(command: EnqueueCommand): EnqueueTemplate {
  if (!isPlain(command)) return newTemplate(command);
  const { job, onConflict, actor } = command;
  if (lastPlain !== undefined) {
    const { template, by, why, origin } = lastPlain;
    const isSame =
      template[ENQUEUE_TEMPLATE.handler] === job.handler &&
      template[ENQUEUE_TEMPLATE.queue] === job.queue &&
      template[ENQUEUE_TEMPLATE.tenant] === job.tenant &&
      template[ENQUEUE_TEMPLATE.priority] === job.priority &&
      template[ENQUEUE_TEMPLATE.onConflict] === onConflict &&
      by === actor.name &&
      why === actor.why &&
      // One object for all events of a source.
      origin === job.origin &&
      template[ENQUEUE_TEMPLATE.batch] === (job.batch ?? null);
    if (isSame) return template;
  }
  const template = newTemplate(command);
  lastPlain = { template, by: actor.name, why: actor.why, origin: job.origin };
  return template;
}

/** Whether nothing was said about a job but what `templateOf` compares. */
function isPlain(command: EnqueueCommand): boolean {
  const { job, due, deadline, account, attempts, errorClass, dead } = command;
  return (
    dead === undefined &&
    due === undefined &&
    deadline === undefined &&
    job.sessionId === job.id &&
    job.idempotencyKey === job.id &&
    job.uniqueKey === undefined &&
    job.digest === undefined &&
    job.limitKey === undefined &&
    job.rateKey === undefined &&
    job.policyId === undefined &&
    job.ownPolicy === undefined &&
    job.maxAttempts === undefined &&
    job.parentId === undefined &&
    job.onDead === undefined &&
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

function newTemplate(command: EnqueueCommand): EnqueueTemplate {
  const { job, due, deadline, onConflict, uniqueForMs, account, dead } = command;
  const { attempts = NO_ATTEMPTS } = command;
  return [
    job.queue,
    job.handler,
    job.tenant,
    job.priority,
    (dead === undefined ? job.uniqueKey : undefined) ?? null,
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
    encodeAttempts(attempts),
    dead === undefined ? null : buriedGroupOf(command),
    uniqueForMs === undefined ? null : Math.ceil(uniqueForMs),
    job.digest ?? null,
    job.batch ?? null,
  ];
}

/** NULL for a job of its own; a session that was handed over brings what it has been through. */
function firstLife(command: EnqueueCommand): string | null {
  const { account, errorClass, dead } = command;
  const isOpen = account.claims === 0 && account.generation === 1 && account.executions === 0;
  if (isOpen && errorClass === undefined && dead === undefined) return null;
  const { retryCount, reason, fingerprint } = newLife(command, 0);
  return encodeLife({ account, retryCount, errorClass, reason, fingerprint });
}

/** Bytes of their own: the caller may write to his, and a view would take its whole buffer along. */
export function payloadOf(payload: Payload): string | Uint8Array {
  return payload.kind === 'json' ? payload.text : Uint8Array.from(payload.bytes);
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

// Times are whole milliseconds in the file, rounded up: nothing shall be early.

/** The time of a moment that is given as one. */
export function atMsOf(moment: Moment | undefined): number | null {
  return moment !== undefined && 'atMs' in moment ? Math.ceil(moment.atMs) : null;
}

/** How far a moment is away that is given as a distance. */
export function inMsOf(moment: Moment | undefined): number | null {
  return moment !== undefined && 'inMs' in moment ? Math.ceil(moment.inMs) : null;
}
