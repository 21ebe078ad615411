import { type DeadFilter, foldAscii, MAX_TEXT_GROUPS } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Reader } from '../query/reader.ts';
import { DEAD_BY } from '../schema/dead-letter-tables.ts';

/** Values of a statement. `use` takes one as a parameter, and answers its name. */
export class Parameters {
  readonly values: (string | number | null)[] = [];

  use(value: string | number | null): string {
    return `$${this.values.push(value)}`;
  }
}

/** How the letters of a filter are found. */
export interface DeadBase {
  /** Conditions that an index serves, in which letters stand in the order of their deaths. */
  readonly indexed: readonly string[];
  /** Conditions that are left to look at in each row. */
  readonly others: readonly string[];
  /** Where there are several, the index is asked for each of them. */
  readonly fingerprints: readonly string[] | undefined;
}

/**
 * Fingerprints that letters of the filter may have: the one that it names, those whose pattern has its text; `undefined`:
 * any.
 */
export async function fingerprintsOf(
  reader: Reader,
  { text, fingerprint }: DeadFilter,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return fingerprint === undefined ? undefined : [fingerprint];
  const rows = await reader.rows({
    // Only ASCII letters have a lower case in this collation.
    text: `select g.fingerprint from ${reader.schema}.dead_groups g
      where strpos(lower(g.pattern collate "C"), $1) > 0 and ($2::text is null or g.fingerprint = $2)
      limit ${MAX_TEXT_GROUPS}`,
    values: [foldAscii(text), fingerprint ?? null],
  });
  return rows.map(([found]) => found ?? '');
}

/** Chooses the index that leaves the least to look at. `lookEach`: whether it may be asked for each of several fingerprints. */
export function deadBase(
  schema: string,
  filter: DeadFilter,
  fingerprints: readonly string[] | undefined,
  parameters: Parameters,
  lookEach: boolean,
): DeadBase {
  const use = parameters.use.bind(parameters);
  const { handler, queue, tenant, tag, sessionId, reason, errorClass } = filter;
  const others: string[] = [];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) others.push(`j.${column} = ${use(value)}`);
  };
  equal('queue', queue);
  equal('reason', reason);
  equal('error_class', errorClass);
  if (tag !== undefined) others.push(`${use(tag)} = any(j.tags)`);

  const indexed = timesOf(filter, use);
  const [only, second] = fingerprints ?? [];
  let each: readonly string[] | undefined;
  if (sessionId !== undefined) {
    const id = use(sessionId);
    // Few, and found by their numbers.
    indexed.push(`j.state = 'dead' and j.seq = any(array(select i.seq from ${schema}.ids i
      where i.session_id = ${id} or (i.session_id is null and i.id = ${id})))`);
    equal('handler', handler);
    equal('tenant', tenant);
  } else if (only !== undefined && second === undefined) {
    indexed.push(`j.fingerprint = ${use(only)} and j.state = 'dead'`);
    equal('handler', handler);
    equal('tenant', tenant);
    return { indexed, others, fingerprints: undefined };
  } else if (
    lookEach &&
    fingerprints !== undefined &&
    [...others, handler, tenant].every((one) => one === undefined)
  ) {
    each = fingerprints;
    return { indexed: [...indexed, "j.state = 'dead'"], others, fingerprints: each };
  } else if (tenant !== undefined && tenant !== '') {
    indexed.push(`${DEAD_BY.tenant} and j.tenant = ${use(tenant)}`);
    equal('handler', handler);
  } else if (handler !== undefined) {
    indexed.push(`${DEAD_BY.handler} and j.handler = ${use(handler)}`);
    equal('tenant', tenant);
  } else {
    indexed.push(DEAD_BY.time);
    equal('tenant', tenant);
  }
  if (fingerprints !== undefined) {
    others.push(`j.fingerprint = any(${use(textArray(fingerprints) ?? '{}')}::text[])`);
  }
  return { indexed, others, fingerprints: each };
}

/** When the letters died. */
export function timesOf(
  { diedAfterMs, diedBeforeMs }: DeadFilter,
  use: Parameters['use'],
): string[] {
  const conditions: string[] = [];
  if (diedAfterMs !== undefined && diedAfterMs !== -Infinity) {
    conditions.push(`j.finished_at >= ${use(whole(diedAfterMs))}::bigint`);
  }
  if (diedBeforeMs !== undefined && diedBeforeMs !== Infinity) {
    conditions.push(`j.finished_at < ${use(whole(diedBeforeMs))}::bigint`);
  }
  return conditions;
}

/** A time that a `bigint` holds. */
function whole(timeMs: number): number {
  return Math.max(-MAX_TIME_MS, Math.min(Math.ceil(timeMs), MAX_TIME_MS));
}

const MAX_TIME_MS = 8.64e15;
