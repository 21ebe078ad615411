import type { DeadFilter } from '@redrive/durable/dead-letters';
import { foldAscii, MAX_TEXT_GROUPS } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Reader } from '../query/reader.ts';
import { DEAD_BY } from '../schema/dead-letter-functions.ts';

/** The parameters of a statement. `use` adds a value and returns its name. */
export class Parameters {
  readonly values: (string | number | null)[] = [];

  use(value: string | number | null): string {
    return `$${this.values.push(value)}`;
  }
}

/** The conditions that find the letters of a filter. */
export interface DeadBase {
  /** The times of death. Every index over letters serves this condition. */
  readonly times: readonly string[];
  /** The condition that selects an index; in the index, letters are in the order of their deaths. */
  readonly index: string;
  /** The other conditions, which are checked in each row. */
  readonly others: readonly string[];
  /** The parameter with fingerprints, if the filter has several and no other condition: each has its range in an index. */
  readonly each: string | undefined;
  readonly fingerprints: number;
}

/**
 * The fingerprints that match the filter: the one that it names, or those whose pattern contains its text. `undefined`:
 * all.
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

/** Chooses the index that leaves the fewest rows to check. */
export function deadBase(
  schema: string,
  filter: DeadFilter,
  fingerprints: readonly string[] | undefined,
  parameters: Parameters,
): DeadBase {
  const use = parameters.use.bind(parameters);
  const { handler, queue, tenant, tag, sessionId, batch, reason, errorClass } = filter;
  const others: string[] = [];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) others.push(`j.${column} = ${use(value)}`);
  };
  equal('queue', queue);
  equal('reason', reason);
  equal('error_class', errorClass);
  if (tag !== undefined) others.push(`${use(tag)} = any(j.tags)`);

  const times = timesOf(filter, use);
  const [only, ...more] = fingerprints ?? [];
  const several = more.length > 0 ? use(textArray(fingerprints ?? [])) : undefined;
  let index: string = DEAD_BY.time;
  let each: string | undefined;
  if (sessionId !== undefined) {
    const id = use(sessionId);
    // Few rows, found by their numbers.
    index = `j.state = 'dead' and j.seq = any(array(select i.seq from ${schema}.ids i
      where i.session_id = ${id} or (i.session_id is null and i.id = ${id})))`;
    equal('handler', handler);
    equal('tenant', tenant);
    equal('batch', batch);
    if (several === undefined) equal('fingerprint', only);
  } else if (batch !== undefined) {
    index = `j.state = 'dead' and j.batch = ${use(batch)}`;
    equal('handler', handler);
    equal('tenant', tenant);
    if (several === undefined) equal('fingerprint', only);
  } else if (only !== undefined && several === undefined) {
    index = `j.fingerprint = ${use(only)} and j.state = 'dead'`;
    equal('handler', handler);
    equal('tenant', tenant);
  } else if (tenant !== undefined && tenant !== '') {
    index = `${DEAD_BY.tenant} and j.tenant = ${use(tenant)}`;
    equal('handler', handler);
  } else if (handler !== undefined) {
    index = `${DEAD_BY.handler} and j.handler = ${use(handler)}`;
    equal('tenant', tenant);
  } else {
    equal('tenant', tenant);
    if (others.length === 0) each = several;
  }
  if (several !== undefined) others.push(`j.fingerprint = any(${several}::text[])`);
  return { times, index, others, each, fingerprints: fingerprints?.length ?? 0 };
}

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
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
