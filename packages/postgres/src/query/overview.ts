import type { Counts, Pulse } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import { stateOf } from '../job/read-job.ts';
import { POSITION } from '../schema/audit-position.ts';
import { oldestReadySql } from './oldest-ready.ts';
import { NOW_SQL, type Reader } from './reader.ts';

/** Whether there is work. Every part reads one entry of an index. */
export async function pulse(reader: Reader, handlers: readonly string[]): Promise<Pulse> {
  const { schema } = reader;
  const first = (column: string, condition: string): string =>
    `(select j.${column} from ${schema}.jobs j where ${condition} order by j.${column} limit 1)`;
  const any = (state: string): string =>
    `exists (select from unnest($2::text[]) as h(handler) cross join lateral (
      select 1 from ${schema}.jobs j where ${state} and j.handler = h.handler limit 1) one)`;
  const [row] = await reader.rows({
    name: 'redrive pulse',
    text: `select ${any("j.state = 'ready'")} or ${any("j.state = 'held' and j.limit_key is not null")},
      least(${first('due_at', "j.state = 'scheduled' and j.due_at is not null")}, ${first('due_at', "j.state = 'parked' and j.due_at is not null")},
        ${first('deadline', 'j.deadline is not null and j.lease_since is null')}),
      ${first('lease_until', "j.state = 'leased'")} <= ${NOW_SQL}, ${NOW_SQL},
      (select ${POSITION} from ${schema}.audit_blocks b order by b.epoch desc, b.xid desc, b.seq desc limit 1)
        > coalesce((select a.to_position from ${schema}.audit_anchors a order by a.seq desc limit 1), ''),
      (select r.revision from ${schema}.control_revision r)`,
    values: [reader.nowMs, textArray(handlers)],
  });
  const [ready, next, expired, now, unsealed, controlRevision] = row ?? [];
  const nowMs = Number(now);
  return {
    ready: ready === 't',
    nextDueInMs:
      next === null || next === undefined ? undefined : Math.max(0, Number(next) - nowMs),
    expiredLeases: expired === 't',
    unsealed: unsealed === 't',
    controlRevision: Number(controlRevision),
    nowMs,
  };
}

/** The most jobs of one state that are counted, so that a count stays cheap. */
const COUNTED = 100_000;

const UNFINISHED = ['scheduled', 'ready', 'held', 'parked', 'leased'];
const FINISHED = ['succeeded', 'dead', 'cancelled', 'purged'];

/** The condition for each state, which is also the condition of its partial index. */
const ALWAYS: Readonly<Record<string, string>> = {
  scheduled: ' and j.due_at is not null',
  held: ' and j.limit_key is not null',
  // See `DEAD_BY`.
  dead: ' and j.seq > 0',
};

/** Counts each state with its own index; other states cost nothing. */
export function countsSql(schema: string): string {
  const of = (table: string) => (state: string) =>
    `(select j.queue, j.handler, j.state from ${schema}.${table} j where j.state = '${state}'${ALWAYS[state] ?? ''} limit ${COUNTED + 1})`;
  const parts = [...UNFINISHED.map(of('jobs')), ...FINISHED.map(of('finished'))];
  return `select c.queue, c.handler, c.state, count(*) from (${parts.join(' union all ')}) c group by 1, 2, 3`;
}

/** Jobs per queue, handler and state. */
export async function countJobs(reader: Reader): Promise<Counts> {
  const { schema } = reader;
  const [rows, [row]] = await Promise.all([
    reader.rows({ text: countsSql(schema) }),
    reader.rows({
      text: `select ${NOW_SQL}, (${oldestReadySql(schema)})`,
      values: [reader.nowMs],
    }),
  ]);
  const groups = new Map<string, Counts['groups'][number]>();
  const perState = new Map<string, number>();
  for (const [queue, handler, physical, number] of rows) {
    const count = Number(number);
    const state = stateOf(physical);
    const key = JSON.stringify([queue, handler, state]);
    const before = groups.get(key)?.count ?? 0;
    groups.set(key, { queue: queue ?? '', handler: handler ?? '', state, count: before + count });
    perState.set(physical ?? '', (perState.get(physical ?? '') ?? 0) + count);
  }
  const [now, oldest] = row ?? [];
  return {
    nowMs: Number(now),
    groups: [...groups.values()],
    bounded: [...perState.values()].some((count) => count > COUNTED),
    oldestReadyAtMs: oldest === null || oldest === undefined ? undefined : Number(oldest),
  };
}
