import type { Counts, Pulse } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import { POSITION } from '../audit/position.ts';
import { stateOf } from '../job/read-job.ts';
import { BATCH_ENDS } from './batches.ts';
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
    text: `select ${any("j.state = 'ready'")} or ${any("j.state = 'held' and j.limit_key is not null")}
        or exists (select from ${schema}.rates r where r.holds and coalesce(r.handler = any($2), true)),
      least(${first('due_at', "j.state = 'scheduled' and j.due_at is not null")}, ${first('due_at', "j.state = 'parked' and j.due_at is not null")},
        ${first('deadline', 'j.deadline is not null and j.lease_since is null')}),
      ${first('lease_until', "j.state = 'leased'")} <= ${NOW_SQL}, ${NOW_SQL},
      (select ${POSITION} from ${schema}.audit_blocks b order by b.epoch desc, b.xid desc, b.seq desc limit 1)
        > coalesce(a.to_position, ''),
      (select r.revision from ${schema}.control_revision r), exists (select from ${BATCH_ENDS(schema)}), a.seq, a.at
      from (select) one left join (select * from ${schema}.audit_anchors order by seq desc limit 1) a on true`,
    values: [reader.nowMs, textArray(handlers)],
  });
  const [ready, next, expired, now, unsealed, controlRevision, ends, seq, at] = row ?? [];
  const nowMs = Number(now);
  return {
    ready: ready === 't',
    nextDueInMs:
      next === null || next === undefined ? undefined : Math.max(0, Number(next) - nowMs),
    expiredLeases: expired === 't',
    ...(ends === 't' && { batchEnds: true }),
    unsealed: unsealed === 't',
    anchor: seq === null || seq === undefined ? undefined : { seq: Number(seq), atMs: Number(at) },
    controlRevision: Number(controlRevision),
    nowMs,
  };
}

/** The most jobs of one state that are counted; of ready ones, the most of each handler and queue. */
const COUNTED = 10_000;
/** The most ready jobs of all handlers and queues, which share it. */
const COUNTED_READY = 50_000;
/** The most handlers and queues of ready jobs. */
const MAX_LANES = 10_000;

const UNFINISHED = ['scheduled', 'held', 'parked', 'leased'];
const FINISHED = ['succeeded', 'dead', 'cancelled', 'purged'];

/** The condition for each state, which is also the condition of its partial index. */
const ALWAYS: Readonly<Record<string, string>> = {
  scheduled: ' and j.due_at is not null',
  held: ' and j.limit_key is not null',
  // See `DEAD_BY`.
  dead: ' and j.seq > 0',
};

/**
 * Counts each state with its own index; other states cost nothing. Ready jobs are counted by handler and queue: many of one
 * handler must not hide those that no worker takes. In the index's order, so that the planner reads it and not the table.
 */
export function countsSql(schema: string): string {
  const of = (table: string) => (state: string) => part(table, state, ALWAYS[state] ?? '');
  const part = (table: string, state: string, condition: string): string =>
    `(select j.queue, j.handler, j.state from ${schema}.${table} j where j.state = '${state}'${condition} limit ${COUNTED + 1})`;
  const parts = [
    ...UNFINISHED.map(of('jobs')),
    part('jobs', 'held', ' and j.held_rate is not null and j.limit_key is null'),
    ...FINISHED.map(of('finished')),
  ];
  const ready = `from ${schema}.jobs j where j.state = 'ready'`;
  const first = (condition: string): string =>
    `(select j.handler, j.queue ${ready}${condition} order by j.handler, j.queue limit 1)`;
  const sameHandler = first(' and j.handler = l.handler and j.queue > l.queue');
  const nextHandler = first(' and j.handler > l.handler');
  return `with recursive lanes as (
      ${first('')}
      union all
      select n.* from lanes l cross join lateral (${sameHandler} union all ${nextHandler} limit 1) n),
    counted as materialized (select * from lanes limit ${MAX_LANES + 1})
    select l.queue, l.handler, 'ready', (select count(*) from (
      select ${ready} and j.handler = l.handler and j.queue = l.queue
      order by j.priority desc, j.tenant, j.submitted_at, j.id
      limit (select least(${COUNTED}, ${COUNTED_READY} / greatest(1, count(*))) + 1 from counted)) c)
    from counted l
    union all
    select c.queue, c.handler, c.state::text, count(*) from (${parts.join(' union all ')}) c group by 1, 2, 3`;
}

type CountRow = readonly (string | null)[];

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
  const lanes = rows.filter(([, , physical]) => physical === 'ready').length;
  const groups = groupsOf(rows, Math.floor(Math.min(COUNTED, COUNTED_READY / Math.max(1, lanes))));
  const [now, oldest] = row ?? [];
  return {
    nowMs: Number(now),
    groups,
    bounded: lanes > MAX_LANES || groups.some(({ bounded }) => bounded),
    oldestReadyAtMs: oldest === null || oldest === undefined ? undefined : Number(oldest),
  };
}

type Group = Counts['groups'][number];

/**
 * Adds up the rows by queue, handler and state. One job beyond a limit says that there are more. It is not counted, so
 * that a cut count is the limit itself.
 */
function groupsOf(rows: readonly CountRow[], mostReady: number): Group[] {
  const groups = new Map<string, Group>();
  for (const [physical = '', counted] of Map.groupBy(rows, ([, , state]) => state ?? '')) {
    const sum = counted.reduce((all, [, , , count]) => all + Number(count), 0);
    const isCut = physical !== 'ready' && sum > COUNTED;
    // Any job may be the one too many: it is taken from the largest group.
    const largest = Math.max(...counted.map(([, , , count]) => Number(count)));
    let surplus = isCut ? sum - COUNTED : 0;
    for (const [queue, handler, , number] of counted) {
      const ready = physical === 'ready' && Number(number) > mostReady;
      const over = ready ? Number(number) - mostReady : Number(number) === largest ? surplus : 0;
      if (!ready) surplus -= over;
      const count = Number(number) - over;
      const group = { queue: queue ?? '', handler: handler ?? '', state: stateOf(physical), count };
      const key = JSON.stringify([group.queue, group.handler, group.state]);
      const before = groups.get(key);
      const bounded = isCut || ready || before?.bounded ? { bounded: true as const } : {};
      groups.set(key, { ...group, count: (before?.count ?? 0) + count, ...bounded });
    }
  }
  return [...groups.values()];
}
