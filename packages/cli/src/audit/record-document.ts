import type { AuditRecord } from '@redrive/durable/store';
import type { JsonField } from '../command/command-spec.ts';
import { actorIn } from './record-filter.ts';

/** A record as JSON prints it. */
export function recordDocument(record: AuditRecord, block: number) {
  const [id, revision, event, from, to, atMs, token, generation, executions, , detail] = record;
  return {
    time: new Date(atMs).toISOString(),
    event,
    id,
    from,
    to,
    by: actorIn(detail) || null,
    why: typeof detail.why === 'string' ? detail.why : null,
    block,
    revision,
    token,
    generation,
    executions,
    detail,
  };
}

/** The fields of `recordDocument`, under `at`. */
export const recordFields = (at = ''): JsonField[] => [
  { path: `${at}time`, type: 'time', meaning: "the store's clock, ISO 8601" },
  { path: `${at}event`, type: 'text', meaning: 'what happened: enqueue, claim, settle, read, …' },
  { path: `${at}id`, type: 'text', meaning: 'of the job or session; what a note is about' },
  { path: `${at}from`, type: 'text or null', meaning: 'the state before; null: none' },
  { path: `${at}to`, type: 'text or null', meaning: 'the state after; null: a note' },
  { path: `${at}by`, type: 'text or null', meaning: 'who: cli:user@host, a worker, …' },
  { path: `${at}why`, type: 'text or null', meaning: 'the reason that was given' },
  { path: `${at}block`, type: 'number', meaning: 'of the transaction that wrote it' },
  { path: `${at}revision`, type: 'number', meaning: "counts the job's records; 0: a note" },
  { path: `${at}token`, type: 'number', meaning: 'of the newest lease' },
  { path: `${at}generation`, type: 'number', meaning: 'of the job; 0: a note' },
  { path: `${at}executions`, type: 'number', meaning: 'attempts over all generations' },
  {
    path: `${at}detail`,
    type: 'object',
    meaning: 'what else is to be known, by event: see the audit log',
  },
];
