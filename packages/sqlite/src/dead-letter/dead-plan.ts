import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { foldAscii, MAX_DEAD_SCAN, MAX_TEXT_GROUPS } from '@redrive/durable/store';
import { query } from '../database/statement.ts';

/** A condition, and what stands for its question marks. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** How the letters of a filter are found: along an index, in the order of their deaths. */
export interface DeadPlan {
  /** Each is a part of the letters, by an equality that the index begins with. Their orders are merged. */
  readonly branches: readonly Branch[];
  /** The other conditions, on columns of `dead_letters`. Absent: there are none, so every row that is read matches. */
  readonly rest?: Condition | undefined;
}

export interface Branch {
  /** Of `dead_letters`. */
  readonly source: string;
  readonly condition?: Condition | undefined;
}

/** More parts than this are not merged: then all letters are looked at, or those of another index. */
const MAX_BRANCHES = 64;
/** Groups among which a text is looked for: those that appeared last. */
const MAX_SEARCHED_GROUPS = 50_000;

interface Way {
  readonly branches: readonly Branch[];
  /** The same as a condition, where the way is another one. */
  readonly condition: Condition;
}

/** Plans a search, or finds out that nothing can match. The time of death is not part of it. */
export function planDead(db: DatabaseSync, filter: DeadFilter): DeadPlan | undefined {
  const ways: Way[] = [];
  const fingerprints = fingerprintsOf(db, filter);
  if (fingerprints !== undefined) {
    if (fingerprints.length === 0) return undefined;
    ways.push(wayOf('dead_letters INDEXED BY dead_letters_group', 'fingerprint', fingerprints));
  }
  const lanes = lanesOf(db, filter);
  if (lanes !== undefined) {
    if (lanes.length === 0) return undefined;
    ways.push(wayOf('dead_letters INDEXED BY dead_letters_lane', 'lane', lanes));
  }
  if (filter.tenant !== undefined) {
    ways.push(wayOf('dead_letters INDEXED BY dead_letters_tenant', 'tenant', [filter.tenant]));
  }
  const chosen = shortest(db, ways);
  const rest = [
    ...ways.filter((way) => way !== chosen).map(({ condition }) => condition),
    ...unindexed(filter),
  ];
  return {
    branches: chosen?.branches ?? [{ source: 'dead_letters NOT INDEXED' }],
    rest: rest.length === 0 ? undefined : all(rest),
  };
}

/** All of them hold. */
export function all(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The groups that are asked for, by name or by a text in their pattern. Absent: all, and letters without a group. */
function fingerprintsOf(
  db: DatabaseSync,
  { fingerprint, text }: DeadFilter,
): readonly string[] | undefined {
  if (text === undefined) return fingerprint === undefined ? undefined : [fingerprint];
  // lower() of SQLite knows ASCII alone, as the contract wants it.
  const among =
    fingerprint === undefined
      ? `SELECT fingerprint, pattern FROM dead_groups ORDER BY g DESC LIMIT ${MAX_SEARCHED_GROUPS}`
      : 'SELECT fingerprint, pattern FROM dead_groups WHERE fingerprint = ?';
  return query<[fingerprint: string]>(
    db,
    `SELECT fingerprint FROM (${among}) WHERE instr(lower(pattern), ?) > 0 LIMIT ${MAX_TEXT_GROUPS}`,
  )
    .all(...(fingerprint === undefined ? [] : [fingerprint]), foldAscii(text))
    .map(([found]) => found);
}

function lanesOf(db: DatabaseSync, { handler, queue }: DeadFilter): readonly number[] | undefined {
  if (handler === undefined && queue === undefined) return undefined;
  return query<[lane: number]>(
    db,
    `SELECT lane FROM lanes WHERE (?1 IS NULL OR handler = ?1) AND (?2 IS NULL OR queue = ?2)
       AND dead > 0`,
  )
    .all(handler ?? null, queue ?? null)
    .map(([lane]) => lane);
}

function wayOf(source: string, column: string, values: readonly SQLInputValue[]): Way {
  return {
    branches: values.map((value) => {
      return { source, condition: { sql: `${column} = ?`, values: [value] } };
    }),
    condition: {
      sql: `${column} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(values)],
    },
  };
}

/** The way with the fewest letters, as far as they are worth counting. */
function shortest(db: DatabaseSync, ways: readonly Way[]): Way | undefined {
  const passable = ways.filter(({ branches }) => branches.length <= MAX_BRANCHES);
  if (passable.length < 2) return passable[0];
  const lengths = passable.map((way) => {
    let length = 0;
    for (const branch of way.branches) {
      if (length > MAX_DEAD_SCAN) break;
      length += countRows(db, branch, MAX_DEAD_SCAN + 1 - length);
    }
    return { way, length };
  });
  return lengths.reduce((best, next) => (next.length < best.length ? next : best)).way;
}

function countRows(db: DatabaseSync, { source, condition }: Branch, atMost: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${source} WHERE ${condition?.sql ?? 'TRUE'} LIMIT ?)`;
  return query<[count: number]>(db, sql).get(...(condition?.values ?? []), atMost)?.[0] ?? 0;
}

function unindexed({ tag, sessionId, batch, reason, errorClass }: DeadFilter): Condition[] {
  const conditions: (Condition | undefined)[] = [
    tag === undefined
      ? undefined
      : { sql: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)', values: [tag] },
    sessionId === undefined
      ? undefined
      : { sql: 'coalesce(session_id, id) = ?', values: [sessionId] },
    batch === undefined
      ? undefined
      : {
          sql: 'EXISTS (SELECT 1 FROM jobs j WHERE j.n = d.n AND j.batch = (SELECT b.n FROM batches b WHERE b.id = ?))',
          values: [batch],
        },
    reason === undefined ? undefined : { sql: 'reason = ?', values: [reason] },
    errorClass === undefined ? undefined : { sql: 'error_class = ?', values: [errorClass] },
  ];
  return conditions.filter((condition) => condition !== undefined);
}
