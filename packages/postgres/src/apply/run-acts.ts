import { type ActCommand, type ActResult, actDetail, type Moment } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import type { FastPaths } from '../fast-paths.ts';
import { bytesArray, plainArray, textArray } from './array-literal.ts';

export interface ActFrame {
  /** The schema's quoted name. */
  readonly schema: string;
  readonly nowMs: number | null;
  /** The number of the block for the records; null: no audit. */
  readonly seq: number | null;
  readonly fastPaths: FastPaths;
}

/** The results of the acts, in their order, and their records. */
export interface ActsDone {
  readonly results: readonly ActResult[];
  readonly records: readonly string[];
}

/** Carries out acts one after the other. */
export async function runActs(
  session: Session,
  frame: ActFrame,
  acts: readonly ActCommand[],
): Promise<ActsDone> {
  const taken = isRegroup(acts)
    ? await regroup(session, frame, acts)
    : areUniform(acts, frame.fastPaths)
      ? await requeueUniform(session, frame, acts)
      : NONE;
  const rest = await runEach(
    session,
    frame,
    acts.filter(({ id }) => !taken.has(id)),
  );
  const others = rest.results[Symbol.iterator]();
  const results = acts.map(
    ({ id, act }): ActResult =>
      taken.has(id) ? (act === 'regroup' ? REGROUPED : REQUEUED) : (others.next().value ?? GONE),
  );
  const records = [...taken.values()].filter((record) => record !== '');
  return { results, records: [...records, ...rest.records] };
}

const NONE: ReadonlyMap<string, string> = new Map();
const REQUEUED: ActResult = { ok: true, state: 'ready' };
const REGROUPED: ActResult = { ok: true, state: 'dead' };
const GONE: ActResult = { ok: false, refusal: 'not_found' };

/** Whether all acts are the same requeue, each with the generation that the caller has seen. */
function areUniform(acts: readonly ActCommand[], { requeues }: FastPaths): boolean {
  const [first] = acts;
  if (first === undefined || acts.length < requeues) return false;
  const detail = actDetail(first);
  const ids = new Set(acts.map(({ id }) => id));
  return (
    ids.size === acts.length &&
    acts.every(
      (act) =>
        act.act === 'requeue' &&
        act.payload === undefined &&
        act.generation !== undefined &&
        actDetail(act) === detail,
    )
  );
}

/** Whether all acts move different dead letters to causes. */
function isRegroup(acts: readonly ActCommand[]): boolean {
  return (
    acts.length > 0 &&
    acts.every(({ act }) => act === 'regroup') &&
    new Set(acts.map(({ id }) => id)).size === acts.length
  );
}

/** Moves all dead letters that can be moved, in one statement. Returns their records, by id. */
async function regroup(
  session: Session,
  { schema, nowMs, seq }: ActFrame,
  acts: readonly ActCommand[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query({
    name: 'redrive regroup',
    text: `select * from ${schema}.regroup($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      nowMs,
      seq,
      textArray(acts.map(({ id }) => id)),
      plainArray(acts.map(({ generation }) => generation)),
      textArray(acts.map(({ group }) => group?.fingerprint ?? '')),
      textArray(acts.map(({ group }) => group?.pattern ?? '')),
      plainArray(acts.map(({ group }) => group?.rename === true)),
      textArray(acts.map(actDetail)),
    ],
  });
  return new Map(rows.map(([id, record]) => [id ?? '', record ?? '']));
}

/** Requeues all jobs that can be requeued, in one statement. Returns their records, by id. */
async function requeueUniform(
  session: Session,
  { schema, nowMs, seq }: ActFrame,
  acts: readonly ActCommand[],
): Promise<ReadonlyMap<string, string>> {
  const [first] = acts;
  if (first === undefined) return NONE;
  const rows = await session.query({
    name: 'redrive requeue_usual',
    text: `select * from ${schema}.requeue_usual($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      nowMs,
      seq,
      textArray(acts.map(({ id }) => id)),
      plainArray(acts.map(({ generation }) => generation)),
      actDetail(first),
      atMs(first.deadline) ?? null,
      inMs(first.deadline) ?? null,
    ],
  });
  return new Map(rows.map(([id, record]) => [id ?? '', record ?? '']));
}

/** Carries out each act with its own function call, all in one statement. */
async function runEach(
  session: Session,
  { schema, nowMs, seq }: ActFrame,
  acts: readonly ActCommand[],
): Promise<ActsDone> {
  if (acts.length === 0) return { results: [], records: [] };
  const payloads = acts.map(({ act, payload }) => (act === 'requeue' ? payload : undefined));
  const rows = await session.query({
    name: 'redrive acts',
    text: `select a.records, a.state, a.refusal
      from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::integer[], $9::text[], $10::bytea[], $11::text[])
        with ordinality as c(act, id, detail, deadline_at, deadline_in, generation, payload, payload_bytes, done_by, ord)
      cross join lateral ${schema}.act($1, $2, c.act, c.id, c.detail, c.deadline_at, c.deadline_in, c.generation, c.payload,
        c.payload_bytes, c.done_by) a
      order by c.ord`,
    values: [
      nowMs,
      seq,
      textArray(acts.map(({ act }) => act)),
      textArray(acts.map(({ id }) => id)),
      textArray(acts.map(actDetail)),
      plainArray(acts.map(({ deadline }) => atMs(deadline))),
      plainArray(acts.map(({ deadline }) => inMs(deadline))),
      plainArray(acts.map(({ generation }) => generation)),
      textArray(payloads.map((payload) => (payload?.kind === 'json' ? payload.text : null))),
      bytesArray(payloads.map((payload) => (payload?.kind === 'bytes' ? payload.bytes : null))),
      textArray(acts.map(({ actor }) => actor.name)),
    ],
  });
  return {
    results: rows.map(([, state, refusal]) =>
      typeof refusal === 'string'
        ? // The function answers with these alone.
          { ok: false, refusal: refusal as Extract<ActResult, { ok: false }>['refusal'] }
        : { ok: true, state: state ?? '' },
    ),
    records: rows.map(([records]) => records ?? '').filter((records) => records !== ''),
  };
}

function atMs(moment: Moment | undefined): number | undefined {
  return moment !== undefined && 'atMs' in moment ? Math.ceil(moment.atMs) : undefined;
}

function inMs(moment: Moment | undefined): number | undefined {
  return moment !== undefined && 'inMs' in moment ? Math.ceil(moment.inMs) : undefined;
}
