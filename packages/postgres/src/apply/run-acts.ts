import { type ActCommand, type ActResult, actDetail, type Moment } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { bytesArray, plainArray, textArray } from './array-literal.ts';

export interface ActFrame {
  /** The schema's quoted name. */
  readonly schema: string;
  readonly nowMs: number | null;
  /** The block that the records go into; null: there is no audit. */
  readonly seq: number | null;
}

/** What acts have led to, in their order, and what is to be recorded of them. */
export interface ActsDone {
  readonly results: readonly ActResult[];
  readonly records: readonly string[];
}

/** Carries out acts in their order, each after the ones before it, in one statement. */
export async function runActs(
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
