import type { JobState } from '@redrive/durable';
import { LEGAL_FROM, type TransitionName, transitionRow } from '@redrive/durable/store';
import type { FastPaths } from '../fast-paths.ts';
import { inRowSql, payloadSql } from './large-payloads.ts';
import { NOW } from './now.ts';
import {
  moveSql,
  setSql,
  statesSql,
  type TransitionSql,
  transitionRecordSql,
} from './transition-sql.ts';

/** A payload is a text or bytes: where one of them is given, the other one goes. */
const EDITED = (given: string, before: string) =>
  `case when p_payload is null and p_payload_bytes is null then ${before} else ${given} end`;

/** A requeue, whose row stands in `of`. */
export const requeued = (of: string): TransitionSql => ({
  of,
  given: { deadline: 'coalesce(p_deadline_at, v_now + p_deadline_in)' },
});

/** The states of jobs that stand in each table. */
const STATES_IN = {
  jobs: ['scheduled', 'ready', 'parked', 'leased'],
  finished: ['succeeded', 'dead', 'cancelled', 'purged'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>;

/** An act whose job stays in its table, where that table has jobs that it may happen to. */
function changeInPlace(s: string, name: TransitionName, table: keyof typeof STATES_IN): string {
  const act = name === 'request_cancel' ? 'cancel' : name;
  const { from = [], to } = transitionRow(name);
  const states = from.filter((state) => STATES_IN[table].some((each) => each === state));
  // The only act that leads to one of several states.
  const state = name === 'restore' ? { state: 'j.purged_from' } : {};
  const sql: TransitionSql = { of: 'j', from: states, ...state };
  return `elsif p_act = '${act}' and v_from in ${statesSql(states)} then
            update ${s}.${table} j set ${setSql(name, sql)} where j.seq = v_seq;
            state := ${to === 'same' ? 'v_from' : (sql.state ?? `'${to[0]}'`)};
            records := ${transitionRecordSql(name, sql, { event: 'p_act', from: 'v_from', detail: 'p_detail' })};`;
}

/** An operator's act on one job. Answers with the new state, or why not. */
export function actFunction(s: string, fastPaths: FastPaths): string {
  const requeue = moveSql('requeue', requeued('j'), `${s}.jobs`, {
    payload: EDITED(inRowSql('p_payload', fastPaths), 'j.payload'),
    payload_bytes: EDITED(inRowSql('p_payload_bytes', fastPaths), 'j.payload_bytes'),
  });
  const record = (name: TransitionName, sql: TransitionSql): string =>
    transitionRecordSql(name, sql, { event: 'p_act', from: 'v_from', detail: 'p_detail' });
  return `
    create or replace function ${s}.act(
      p_now bigint, p_seq bigint, p_act text, p_id text, p_detail text, p_deadline_at bigint, p_deadline_in bigint,
      p_generation integer default null, p_payload text default null, p_payload_bytes bytea default null, p_by text default null,
      out state text, out refusal text, out records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint := ${NOW};
      v_from text;
      v_seq bigint := (select i.seq from ${s}.ids i where i.id = p_id);
      j record;
    begin
      -- A second time, because a requeue may bring it back between the two looks.
      for v_look in 1..2 loop
        select * into j from ${s}.jobs where seq = v_seq for update;
        if found then
          v_now := ${NOW};
          v_from := case when j.state = 'held' then 'ready' else j.state::text end;
          if j.generation <> p_generation then
            refusal := 'changed';
          elsif p_act = 'cancel' and v_from in ${statesSql(transitionRow('cancel').from ?? [])} then
            with gone as (delete from ${s}.jobs where seq = v_seq returning *)
            ${moveSql('cancel', { of: 'g' }, `${s}.finished`)}
            from gone g;
            if j.state = 'ready' and j.limit_key is not null then
              perform ${s}.release_held(array[j.handler], array[j.limit_key], array[j.tenant]);
            end if;
            state := 'cancelled';
            records := ${record('cancel', { of: 'j' })};
          ${(['request_cancel', 'run_now', 'unpark', 'reset'] as const)
            .map((name) => changeInPlace(s, name, 'jobs'))
            .join('\n          ')}
          else
            refusal := 'illegal';
          end if;
          return;
        end if;

        select * into j from ${s}.finished where seq = v_seq for update;
        if found then
          v_now := ${NOW};
          v_from := j.state::text;
          if j.generation <> p_generation then
            refusal := 'changed';
          elsif p_act = 'requeue' and exists (select from ${s}.jobs o where o.unique_key = j.unique_key) then
            refusal := 'unique_conflict';
          elsif p_act = 'requeue' and v_from in ${statesSql(LEGAL_FROM.requeue)} then
            ${requeue}
            on conflict do nothing;
            if not found then
              refusal := 'unique_conflict';
              return;
            end if;
            delete from ${s}.finished where seq = v_seq;
            if p_payload is not null or p_payload_bytes is not null then
              perform ${s}.keep_payload(
                j.seq, j.generation, ${payloadSql(s, 'payload')}, ${payloadSql(s, 'payload_bytes')}, v_now, p_by);
              perform ${s}.replace_payload(j.seq, p_payload, p_payload_bytes);
            end if;
            state := 'ready';
            records := ${record('requeue', requeued('j'))};
          ${(['reset', 'purge', 'restore'] as const)
            .map((name) => changeInPlace(s, name, 'finished'))
            .join('\n          ')}
          else
            refusal := 'illegal';
          end if;
          return;
        end if;
      end loop;
      refusal := 'not_found';
    end $$;`;
}
