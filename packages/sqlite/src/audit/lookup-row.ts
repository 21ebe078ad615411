import { countedValue, decodeSpec, type JobLookup } from '@redrive/durable/store';
import { type JobRow, jobOf, LIST_COLUMNS, ROW, rowProblem, textsOf } from '../job/job-row.ts';
import { LEASED, PARKED, READY, SCHEDULED, STATES, SUCCEEDED } from '../job/states.ts';
import { heldRate } from '../writer/rates.ts';
import { numberSql } from './audit-rows.ts';

/** A job's row for verification: the columns of a list, and the columns that are derived from others. */
export type LookupRow = [
  ...JobRow,
  lane: number,
  readyLane: number | null,
  dueAt: number | null,
  releaseAt: number | null,
  expiresAt: number | null,
  uniqueKey: string | null,
  limitKey: string | null,
  leasedKey: string | null,
  heldKey: string | null,
  finishedAs: number | null,
  deadLetter: string | null,
  purgedAt: number | null,
];

/** The first columns are those of a job. */
const MORE = 24;

const INTEGERS = [
  'n',
  'priority',
  'submitted_at',
  'state',
  'revision',
  'token',
  'audit_block',
  'deadline_at',
  'generation_at',
  'lease_until',
  'cancel_requested',
  'finished_at',
];

const PLAIN = LIST_COLUMNS.replace(
  'coalesce(j.due_at, j.release_at)',
  numberSql('coalesce(j.due_at, j.release_at)'),
);

/** Integers beyond 2^53 are rounded: another program wrote them, and verification must not fail while it reads them. */
const SAFE = INTEGERS.reduce(
  (columns, name) =>
    columns.replace(new RegExp(`\\bj\\.${name}\\b(?!, j\\.release)`, 'u'), numberSql(`j.${name}`)),
  PLAIN,
);

const DERIVED = ['lane', 'ready_lane', 'due_at', 'release_at', 'expires_at']
  .map((name) => numberSql(`j.${name}`))
  .join(', ');

/** Selects a `LookupRow` by id, together with the row in `dead_letters`. */
export const LOOKUP_SQL = `SELECT ${SAFE}, ${DERIVED}, j.unique_key, j.limit_key, j.leased_key, j.held_key,
    ${numberSql('j.finished_as')},
    (SELECT json_array(d.lane, d.tenant, d.fingerprint, d.reason, d.error_class, d.session_id, d.tags)
     FROM dead_letters d WHERE d.n = j.n AND d.id = j.id AND d.died_at = j.finished_at),
    (SELECT p.purged_at FROM purged_jobs p WHERE p.n = j.n)
  FROM jobs j LEFT JOIN lanes l USING (lane) WHERE j.id > ? ORDER BY j.id LIMIT ?`;

export function lookupOf(found: LookupRow): JobLookup {
  // The first columns of it are those of a job.
  const row = found as unknown as JobRow;
  const state = row[ROW.state];
  const base = {
    id: row[ROW.id],
    revision: row[ROW.revision],
    token: row[ROW.token],
    auditBlock: row[ROW.auditBlock],
    // An unknown state is returned as its number: the comparison then reports it.
    state: STATES[state] ?? (String(state) as 'ready'),
  };
  const unreadable = rowProblem(textsOf(row));
  if (unreadable !== undefined || STATES[state] === undefined) return { ...base, unreadable };
  const { payload: _payload, headers: _headers, attempts: _attempts, ...job } = jobOf(row);
  return { ...base, row: job, misplaced: misplacedIn(found, row) };
}

/** Columns that do not follow from the others. */
function misplacedIn(found: LookupRow, row: JobRow): string[] {
  const [
    lane,
    readyLane,
    dueAt,
    releaseAt,
    expiresAt,
    uniqueKey,
    limitKey,
    leasedKey,
    heldKey,
    finishedAs,
    letter,
    purgedAt,
  ] = found.slice(MORE) as LookupRow extends [...JobRow, ...infer Rest] ? Rest : never;
  const state = row[ROW.state];
  const waits = state < LEASED;
  const isFinal = state >= SUCCEEDED;
  const spec = decodeSpec(row[ROW.spec]);
  const key =
    spec.limitKey === undefined ? null : JSON.stringify([row[ROW.handler], spec.limitKey]);
  const isHeld = state === READY && heldKey !== null;
  const job = jobOf(row);
  const rate = heldKey === null ? undefined : heldRate(heldKey);
  const ratedKey = rate && countedValue(rate, job) === rate.value ? heldKey : undefined;
  const isDead = job.state === 'dead';
  const own = JSON.stringify([
    lane,
    job.tenant,
    job.fingerprint ?? null,
    job.reason ?? null,
    job.errorClass ?? null,
    spec.sessionId ?? null,
    spec.tags === undefined ? null : JSON.stringify(spec.tags),
  ]);
  const expected: Readonly<Record<string, readonly [found: unknown, expected: unknown]>> = {
    ready_lane: [readyLane, state === READY && !isHeld ? lane : null],
    due_at: [dueAt !== null, state === SCHEDULED],
    release_at: [releaseAt !== null, state === PARKED],
    expires_at: [expiresAt, waits ? row[ROW.deadlineAt] : null],
    cause: [row[ROW.cause] !== null, state === PARKED],
    lease_until: [row[ROW.leaseUntil] !== null, state === LEASED],
    lease: [row[ROW.lease] !== null, state === LEASED],
    unique_key: [uniqueKey, isFinal ? null : (spec.uniqueKey ?? null)],
    limit_key: [limitKey, key],
    leased_key: [leasedKey, state === LEASED ? limitKey : null],
    held_key: [heldKey, isHeld ? (ratedKey ?? limitKey) : null],
    finished_as: [finishedAs, isFinal ? state : null],
    dead_letters: [letter, isDead ? own : null],
    purged_jobs: [purgedAt, job.state === 'purged' ? (job.purgedAtMs ?? null) : null],
  };
  return Object.entries(expected)
    .filter(([, [is, should]]) => is !== should)
    .map(([name]) => name);
}
