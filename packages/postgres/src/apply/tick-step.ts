import {
  actorDetail,
  type ExpiredJobs,
  type TickCommand,
  type TickResult,
} from '@redrive/durable/store';
import type { Row, Session } from '../connect/connection.ts';
import type { StepResults } from './plain-step.ts';

/** A step with only a tick: one statement. */
export async function runTickStep(
  session: Session,
  schema: string,
  { limit, actor }: TickCommand,
  writer: string | null,
  nowMs: number | null,
): Promise<StepResults> {
  const [row] = await session.query({
    name: 'redrive tick_step',
    text: `select ${TICKED}, due from "${schema}".tick_step($1, $2, $3, $4)`,
    values: [nowMs, writer, limit, actorDetail(actor)],
  });
  return { results: [[tickResult(row ?? [], limit)]], released: row?.at(-1) === 't' };
}

/** The columns that `tickResult` reads. */
export const TICKED = 'promoted, released, expired, lanes';

export function tickResult(row: Row, limit: number): TickResult {
  const [promoted = 0, released = 0, expired = 0] = row.slice(0, 3).map(Number);
  const more = Math.max(promoted, released, expired) >= limit;
  const expiredBy = expiredIn(row[3] ?? '[]');
  const result = { ok: true, promoted, released, expired, more } as const;
  return expiredBy.length > 0 ? { ...result, expiredBy } : result;
}

/** In the order of `expiredJobs`, which is not that of the server's collation. */
function expiredIn(lanes: string): readonly ExpiredJobs[] {
  const rows: [handler: string, queue: string, count: number][] = JSON.parse(lanes);
  const keyed = rows.map(([handler, queue, count]) => {
    return [JSON.stringify([handler, queue]), { handler, queue, count }] as const;
  });
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, jobs]) => jobs);
}
