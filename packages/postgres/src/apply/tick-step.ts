import { actorDetail, type TickCommand, type TickResult } from '@redrive/durable/store';
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
    text: `select promoted, released, expired, due from "${schema}".tick_step($1, $2, $3, $4)`,
    values: [nowMs, writer, limit, actorDetail(actor)],
  });
  const [promoted, released, expired, due] = row ?? [];
  const result = tickResult([promoted ?? null, released ?? null, expired ?? null], limit);
  return { results: [[result]], released: due === 't' };
}

export function tickResult(row: Row, limit: number): TickResult {
  const [promoted = 0, released = 0, expired = 0] = row.map(Number);
  const more = Math.max(promoted, released, expired) >= limit;
  return { ok: true, promoted, released, expired, more };
}
