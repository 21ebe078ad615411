import type { AuditRecord, FoundRecord } from '@redrive/durable/store';
import { actorIn } from '@redrive/durable/store';
import type { FoundAnswer } from './record-schema.ts';

/** A record that was looked for, with its place, by which it can be proven. */
export function foundAnswer({ record, block, index }: FoundRecord): FoundAnswer {
  return { ...recordAnswer(record, block), record: `${block}.${index}` };
}

export function recordAnswer(record: AuditRecord, block: number): Omit<FoundAnswer, 'record'> {
  const { id, revision, event, from, to, atMs, token, generation, executions, detail } = record;
  return {
    time: new Date(atMs).toISOString(),
    ...{ event, id, from, to },
    by: actorIn(detail) || null,
    why: typeof detail.why === 'string' ? detail.why : null,
    ...{ block, revision, token, generation, executions, detail },
  };
}
