import type { DeadFilter, DeadGroup } from '@redrive/durable/dead-letters';
import {
  checkDeadFilter,
  checkGroupPage,
  type DeadGroupPage,
  type DeadGroupPageRequest,
  MAX_DEAD_COUNT,
  MAX_DEAD_SCAN,
  placeText,
  readPlace,
} from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
import type { Reader } from '../query/reader.ts';
import { deadBase, fingerprintsOf, Parameters, timesOf, where } from './dead-base.ts';

/** One page of causes, the one with the newest death first. */
export async function deadGroups(
  reader: Reader,
  filter: DeadFilter,
  { limit, after }: DeadGroupPageRequest,
): Promise<DeadGroupPage> {
  checkDeadFilter(filter);
  checkGroupPage(limit);
  const place = after === undefined ? undefined : readPlace(after);
  const fingerprints = await fingerprintsOf(reader, filter);
  if (fingerprints?.length === 0) return { groups: [] };
  const parameters = new Parameters();
  const groups = isAboutGroups(filter)
    ? causesSql(reader.schema, filter, fingerprints, parameters)
    : seenCausesSql(reader.schema, filter, fingerprints, parameters);
  const behind =
    place === undefined
      ? ''
      : `where (g.last, g.fingerprint) < (${parameters.use(place.atMs)}::bigint, ${parameters.use(place.id)}::text collate "C")`;
  const rows = await reader.rows({
    text: groups(`${behind} order by g.last desc, g.fingerprint desc limit ${limit + 1}`),
    values: parameters.values,
  });
  const shown = rows.slice(0, limit).map(readGroup);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { groups: shown };
  return {
    groups: shown,
    next: placeText({ atMs: last.lastDiedAtMs, id: last.fingerprint }),
  };
}

/** Whether the filter has no condition on letters except their time of death. */
function isAboutGroups(filter: DeadFilter): boolean {
  const { text: _text, fingerprint: _fingerprint, diedAfterMs, diedBeforeMs, ...others } = filter;
  return Object.values(others).every((value) => value === undefined);
}

/** Goes from cause to cause, and reads only the newest letter of each, however many letters there are. */
function causesSql(
  schema: string,
  filter: DeadFilter,
  fingerprints: readonly string[] | undefined,
  parameters: Parameters,
): (page: string) => string {
  const times = timesOf(filter, parameters.use.bind(parameters));
  const among =
    fingerprints === undefined
      ? ''
      : `where d.fingerprint = any(${parameters.use(textArray(fingerprints))}::text[])`;
  const letters = (what: string, rest: string): string =>
    `(select ${what} from ${schema}.finished j
      ${where(['j.fingerprint = g.fingerprint', "j.state = 'dead'", ...times])} ${rest})`;
  return (page) => `
    with g as materialized (
      select g.fingerprint, g.pattern, g.last, g.id from (
        select g.fingerprint, g.pattern, n.finished_at as last, n.id
        from (select d.fingerprint, d.pattern from ${schema}.dead_groups d ${among} limit ${MAX_DEAD_SCAN}) g
        cross join lateral ${letters('j.finished_at, j.id', 'order by j.finished_at desc, j.id desc limit 1')} n
      ) g ${page})
    select g.fingerprint, g.pattern,
      (select count(*) from ${letters('', `limit ${MAX_DEAD_COUNT + 1}`)} c),
      (select o.finished_at from ${letters('j.finished_at', 'order by j.finished_at, j.id limit 1')} o), g.last, g.id, false
    from g order by g.last desc, g.fingerprint desc`;
}

/** Reads the newest letters of an index, and groups those that match. */
function seenCausesSql(
  schema: string,
  filter: DeadFilter,
  fingerprints: readonly string[] | undefined,
  parameters: Parameters,
): (page: string) => string {
  const { index, times, others } = deadBase(schema, filter, fingerprints, parameters);
  const fits = others.map((one) => `(${one})`).join(' and ') || 'true';
  return (page) => `
    with seen as materialized (
      select j.fingerprint, j.finished_at, j.id, ${fits} as fits from ${schema}.finished j ${where([index, ...times])}
      order by j.finished_at desc, j.id desc limit ${MAX_DEAD_SCAN + 1}
    ), g as (
      select f.fingerprint, d.pattern, count(*) as count, min(f.finished_at) as first, max(f.finished_at) as last,
        (array_agg(f.id order by f.finished_at desc, f.id desc))[1] as id
      from seen f join ${schema}.dead_groups d using (fingerprint) where f.fits group by f.fingerprint, d.pattern
    )
    select g.fingerprint, g.pattern, g.count, g.first, g.last, g.id, (select count(*) > ${MAX_DEAD_SCAN} from seen)
    from g ${page}`;
}

function readGroup([fingerprint, pattern, number, first, last, id, more]: Row): DeadGroup {
  const count = Number(number);
  return {
    fingerprint: fingerprint ?? '',
    pattern: pattern ?? '',
    count: Math.min(count, MAX_DEAD_COUNT),
    bounded: count > MAX_DEAD_COUNT || more === 't',
    firstDiedAtMs: Number(first),
    lastDiedAtMs: Number(last),
    newestId: id ?? '',
  };
}
