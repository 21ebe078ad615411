import { isoTime } from '../documents/times.ts';
import type { AuditRecord } from './audit-block.ts';
import { actorIn, type FoundRecord } from './record-filter.ts';
import type { Verification } from './verify.ts';

/** A record that was asked for, with its place, by which it can be proven. */
export function foundDocument({ record, block, index }: FoundRecord) {
  return { ...recordDocument(record, block), record: `${block}.${index}` };
}

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

/** A verification as JSON prints it. */
export function verificationDocument({ problemsFound, head, ...found }: Verification) {
  return {
    ...found,
    head: head ? { seq: head.seq, hash: head.hash, time: isoTime(head.atMs) } : null,
    problems_found: problemsFound,
  };
}
