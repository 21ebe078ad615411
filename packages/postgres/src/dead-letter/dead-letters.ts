import type { DeadFilter } from '@redrive/durable/dead-letters';
import {
  type BoundedCount,
  checkAtMost,
  checkDeadFilter,
  type DeadPage,
  type DeadPageRequest,
  deadPage,
  type EarlierPayload,
  MAX_DEAD_SCAN,
  placeText,
  readPlace,
  summaryOf,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import type { FastPaths } from '../fast-paths.ts';
import { payloadOf, readJob } from '../job/read-job.ts';
import { readablePart } from '../job/row-problem.ts';
import { withoutBodies } from '../query/jobs.ts';
import type { Reader } from '../query/reader.ts';
import { deadBase, fingerprintsOf, Parameters, where } from './dead-base.ts';
import { type Search, searchEach, searchFirst, searchMany } from './search.ts';

/** `MAX_DEAD_SCAN` for one page of letters: whole rows are read, which are wide, and the caller asks for the next page. */
const SCANNED_PER_PAGE = 5_000;

/** One page of dead letters, the oldest or the newest death first. */
export async function deadLetters(
  reader: Reader,
  filter: DeadFilter,
  given: Partial<DeadPageRequest> | undefined,
  fastPaths: FastPaths,
): Promise<DeadPage> {
  checkDeadFilter(filter);
  const page = deadPage(given);
  const place = page.after === undefined ? undefined : readPlace(page.after);
  const fingerprints = await fingerprintsOf(reader, filter);
  if (fingerprints?.length === 0) return { jobs: [] };
  const parameters = new Parameters();
  const base = deadBase(reader.schema, filter, fingerprints, parameters);
  const direction = page.first === 'oldest' ? 'asc' : 'desc';
  const behind = place && placed(direction, parameters.use(place.atMs), parameters.use(place.id));
  const search: Search = {
    schema: reader.schema,
    base,
    place: behind === undefined ? [] : [behind],
    direction,
    limit: page.limit + 1,
    columns: withoutBodies('finished'),
    parameters,
  };
  // Most filters find enough letters among the first rows.
  const first = await reader.rows(searchFirst(search, fastPaths));
  if (first.length > page.limit || base.others.length === 0) return pageOf(first, page.limit);
  if (base.each !== undefined && base.fingerprints * search.limit <= fastPaths.deadByGroup) {
    return pageOf(await reader.rows(searchEach(search, base.each)), page.limit);
  }
  const rows = await reader.rows(searchMany(search, SCANNED_PER_PAGE));
  const [endAt, endId] = rows[0] ?? [];
  const found = pageOf(
    rows.map((row) => row.slice(2)).filter(([diedAt]) => diedAt !== null),
    page.limit,
  );
  if (found.next !== undefined || endId === null) return found;
  // The query has stopped at its limit: the next page continues there.
  return { jobs: found.jobs, next: nextOf(endAt, endId) };
}

/** The number of letters, counted up to a limit. */
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
  const base = deadBase(reader.schema, filter, fingerprints, parameters);
  const { times, index, others, each } = base;
  const byIndex = others.length === 0 || each !== undefined;
  const conditions =
    each === undefined ? [index, ...times] : ["j.state = 'dead'", ...times, ...others];
  const fits = byIndex ? 'true' : others.join(' and ');
  const looked = (byIndex ? atMost : MAX_DEAD_SCAN) + 1;
  const [row] = await reader.rows({
    text: `select count(*), count(*) filter (where j.fits) from (
      select ${fits} as fits from ${reader.schema}.finished j ${where(conditions)} limit ${looked}) j`,
    values: parameters.values,
  });
  const [seen = 0, fitting = 0] = (row ?? []).map(Number);
  return { count: Math.min(fitting, atMost), bounded: fitting > atMost || seen === looked };
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

/** Makes a page of rows that begin with the time of death. One row more than the limit: there are more. */
function pageOf(rows: readonly Row[], limit: number): DeadPage {
  const shown = rows.slice(0, limit);
  const jobs = shown.map(([, ...row]) => summaryOf(readJob(readablePart(row))));
  if (rows.length <= limit) return { jobs };
  return { jobs, next: nextOf(shown.at(-1)?.[0], jobs.at(-1)?.id) };
}

function placed(direction: 'asc' | 'desc', at: string, id: string): string {
  return `(j.finished_at, j.id) ${direction === 'asc' ? '>' : '<'} (${at}::bigint, ${id}::text collate "C")`;
}

function nextOf(at: Row[number] | undefined, id: Row[number] | undefined): string {
  return placeText({ atMs: Number(at), id: id ?? '' });
}
