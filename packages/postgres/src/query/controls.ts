import {
  type Control,
  type Controls,
  compareText,
  countsLanes,
  MAX_CONTROLS,
  MAX_PARK_COUNT,
  type Park,
  rateOfName,
  type WaitingRate,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { NOW_SQL, type Reader } from './reader.ts';

/** All control documents with their revision, from one snapshot. */
export async function readControls(reader: Reader): Promise<Controls> {
  const { schema } = reader;
  const rows = await reader.rows({
    name: 'redrive controls',
    text: `
      select 'revision', r.revision::text, ${NOW_SQL}::text, null, null from ${schema}.control_revision r
      union all
      select 'control', c.kind, c.key, c.revision::text, c.document from ${schema}.controls c`,
    values: [reader.nowMs],
  });
  const of = (what: string): Row[] =>
    rows.filter(([kind]) => kind === what).map(([, ...row]) => row);
  const [[revision, now] = []] = of('revision');
  return {
    revision: Number(revision),
    nowMs: Number(now),
    all: of('control')
      .map(readControl)
      .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key)),
  };
}

function readControl([kind, key, revision, document]: Row): Control {
  return {
    // Only commands write this column, with one of these values.
    kind: kind as Control['kind'],
    key: key ?? '',
    revision: Number(revision),
    document: document ?? '',
  };
}

/** The row of a table with one row. */
export async function controlRevision(reader: Reader): Promise<number> {
  const [row] = await reader.rows({
    name: 'redrive control_revision',
    text: `select revision from ${reader.schema}.control_revision`,
  });
  return Number(row?.[0]);
}

/** Goes from cause to cause through the index, and counts each up to the limit. */
export async function listParks(reader: Reader): Promise<Park[]> {
  const { schema } = reader;
  const next = (condition: string): string =>
    `(select j.cause from ${schema}.jobs j where j.state = 'parked' and ${condition} order by j.cause limit 1)`;
  const rows = await reader.rows({
    text: `with recursive causes as (
        select ${next('j.cause is not null')} as cause
        union all
        select ${next('j.cause > c.cause')} from causes c where c.cause is not null
      )
      select c.cause, (select count(*) from (
        select from ${schema}.jobs j where j.state = 'parked' and j.cause = c.cause limit ${MAX_PARK_COUNT + 1}) p)
      from causes c where c.cause is not null`,
  });
  const parks = rows.map(([cause, text]) => {
    const count = Number(text);
    const bounded = count > MAX_PARK_COUNT;
    return { cause: cause ?? '', count: Math.min(count, MAX_PARK_COUNT), bounded };
  });
  return parks.sort((a, b) => compareText(a.cause, b.cause));
}

/** Held jobs of a value; of a rate that closes its handlers and queues, all their ready jobs. */
export async function findRates(reader: Reader): Promise<WaitingRate[]> {
  const { schema } = reader;
  const rows = await reader.rows({
    text: `select r.key, r.name, r.since from ${schema}.rates r where r.since is not null order by r.key limit ${MAX_CONTROLS}`,
  });
  const found: WaitingRate[] = [];
  for (const [key, name, since] of rows) {
    const rate = rateOfName(name ?? '');
    if (rate === undefined || key === null || key === undefined || name === null) continue;
    const value = key.slice((name?.length ?? 0) + 1);
    const handler = rate.by === 'handler' ? value : (rate.handler ?? null);
    const [row] = await reader.rows({
      text: `select count(*) from (${countsLanes(rate) ? OF_LANES(schema) : OF_KEY(schema)} limit ${MAX_PARK_COUNT + 1}) c`,
      values: countsLanes(rate) ? [handler, rate.queue ?? null] : [key],
    });
    const count = Number(row?.[0]);
    if (count === 0) continue;
    const bounded = count > MAX_PARK_COUNT;
    found.push({
      name: name ?? '',
      value,
      sinceMs: Number(since),
      count: Math.min(count, MAX_PARK_COUNT),
      bounded,
    });
  }
  return found;
}

const OF_KEY = (schema: string): string =>
  `select from ${schema}.jobs j where j.state = 'held' and j.held_rate = $1`;
const OF_LANES = (schema: string): string =>
  ['ready', 'held']
    .map(
      (state) => `(select from ${schema}.jobs j where j.state = '${state}'
        and ($1::text is null or j.handler = $1) and ($2::text is null or j.queue = $2))`,
    )
    .join(' union all ');
