import {
  type BoundedCount,
  checkAtMost,
  checkDeadFilter,
  checkDeadPage,
  type DeadFilter,
  type DeadPage,
  type DeadPageRequest,
  type EarlierPayload,
  MAX_DEAD_SCAN,
  placeText,
  readPlace,
  summaryOf,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { payloadOf, readJob } from '../job/read-job.ts';
import { withoutBodies } from '../query/jobs.ts';
import type { Reader } from '../query/reader.ts';
import { type DeadBase, deadBase, fingerprintsOf, Parameters } from './dead-base.ts';

/** Entries of the index that are read for the fingerprints of a text. Past it, letters are looked through instead. */
const MAX_LOOKED_UP = 100_000;

/** One page of dead letters, in the order of their deaths or against it. */
export async function deadLetters(
  reader: Reader,
  filter: DeadFilter,
  page: DeadPageRequest,
): Promise<DeadPage> {
  checkDeadFilter(filter);
  checkDeadPage(page.limit);
  const place = page.after === undefined ? undefined : readPlace(page.after);
  const fingerprints = await fingerprintsOf(reader, filter);
  if (fingerprints?.length === 0) return { jobs: [] };
  const parameters = new Parameters();
  const lookEach = (fingerprints?.length ?? 0) * (page.limit + 1) <= MAX_LOOKED_UP;
  const found = deadBase(reader.schema, filter, fingerprints, parameters, lookEach);
  const direction = page.first === 'oldest' ? 'asc' : 'desc';
  const behind = place && placed(direction, parameters.use(place.atMs), parameters.use(place.id));
  const base = behind === undefined ? found : { ...found, indexed: [...found.indexed, behind] };
  const order = `order by j.finished_at ${direction}, j.id ${direction}`;
  const looked = base.others.length > 0 ? MAX_DEAD_SCAN : page.limit + 1;
  const rows = await reader.rows({
    text: `select j.finished_at, ${withoutBodies('finished')}
      from ${lettersSql(reader.schema, base, order, looked, parameters)} j
      ${where(base.others)} ${order} limit ${page.limit + 1}`,
    values: parameters.values,
  });
  const shown = rows.slice(0, page.limit);
  const jobs = shown.map(([, ...row]) => summaryOf(readJob(row)));
  if (rows.length > page.limit) return { jobs, next: nextOf(shown.at(-1)?.[0], jobs.at(-1)?.id) };
  if (base.others.length === 0) return { jobs };
  // It may have stopped before the end: then the next page goes on from there.
  const [end] = await reader.rows({
    text: `select j.finished_at, j.id, ${base.others.join(', ')} from ${reader.schema}.finished j
      ${where(base.indexed)} ${order} offset ${MAX_DEAD_SCAN - 1} limit 1`,
    values: parameters.values,
  });
  return end === undefined ? { jobs } : { jobs, next: nextOf(end[0], end[1]) };
}

/** How many there are, as far as it is counted. */
export async function countDead(
  reader: Reader,
  filter: DeadFilter,
  atMost: number,
): Promise<BoundedCount> {
  checkDeadFilter(filter);
  checkAtMost(atMost);
  const fingerprints = await fingerprintsOf(reader, filter);
  if (fingerprints?.length === 0) return { count: 0, bounded: false };
  const parameters = new Parameters();
  const base = deadBase(reader.schema, filter, fingerprints, parameters, true);
  const scanned = (base.others.length > 0 ? MAX_DEAD_SCAN : atMost) + 1;
  const order = 'order by j.finished_at desc, j.id desc';
  const [row] = await reader.rows({
    text: `select count(*), count(*) filter (${where(base.others) || 'where true'})
      from (select * from ${lettersSql(reader.schema, base, order, scanned, parameters)} j limit ${scanned}) j`,
    values: parameters.values,
  });
  const [looked, found] = (row ?? []).map(Number);
  const count = Math.min(found ?? 0, atMost);
  return { count, bounded: (found ?? 0) > atMost || (looked ?? 0) === scanned };
}

export async function earlierPayloads(reader: Reader, id: string): Promise<EarlierPayload[]> {
  const rows = await reader.rows({
    text: `select e.generation, e.payload, e.payload_bytes, e.replaced_at, e.replaced_by
      from ${reader.schema}.ids i join ${reader.schema}.earlier_payloads e using (seq) where i.id = $1 order by e.generation`,
    values: [id],
  });
  return rows.map(([generation, text, bytes, at, by]) => ({
    generation: Number(generation),
    payload: payloadOf(text ?? null, bytes ?? null),
    replacedAtMs: Number(at),
    by: by ?? '',
  }));
}

/** The letters of a base, in order, as an item of a `from`: so many, or so many of each fingerprint. */
function lettersSql(
  schema: string,
  { indexed, fingerprints }: DeadBase,
  order: string,
  limit: number,
  parameters: Parameters,
): string {
  if (fingerprints === undefined) {
    return `(select * from ${schema}.finished j ${where(indexed)} ${order} limit ${limit})`;
  }
  const list = parameters.use(`{${fingerprints.map((one) => JSON.stringify(one)).join(',')}}`);
  return `(select j.* from unnest(${list}::text[]) as g(fingerprint) cross join lateral (
    select * from ${schema}.finished j ${where([...indexed, 'j.fingerprint = g.fingerprint'])} ${order} limit ${limit}) j)`;
}

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function placed(direction: 'asc' | 'desc', at: string, id: string): string {
  return `(j.finished_at, j.id) ${direction === 'asc' ? '>' : '<'} (${at}::bigint, ${id}::text collate "C")`;
}

function nextOf(at: Row[number] | undefined, id: Row[number] | undefined): string {
  return placeText({ atMs: Number(at), id: id ?? '' });
}
