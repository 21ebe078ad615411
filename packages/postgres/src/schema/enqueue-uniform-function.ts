import type { FastPaths } from '../fast-paths.ts';
import { NEW_JOB_COLUMNS } from './enqueue-function.ts';
import { inRowSql, keepLargeSql } from './large-payloads.ts';
import { NOW } from './now.ts';
import { insertSql, type TransitionSql, transitionGroupsSql } from './transition-sql.ts';

/** A job that is due at once, and that nobody has tried. */
const ENQUEUE: TransitionSql = {
  of: 'n',
  to: ['ready'],
  given: {
    deadline: 'null',
    generation: '1',
    claims: '0',
    executions: '0',
    failed: '0',
    lease_lost: '0',
    account: 'null',
    retry_count: '0',
    error_class: 'null',
    attempts: 'null',
  },
};

const SPEC = {
  seq: 'n.seq',
  submitted_at: 'v_now',
  priority: '0',
  id: 'n.id',
  handler: 'n_handler',
  queue: 'n_queue',
  tenant: "''",
} as const;

/** What the general function gets for those columns; null for all others. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  id: 'n_id',
  handler: 'array[n_handler]',
  queue: 'array[n_queue]',
  detail: 'n_detail',
  payload: 'n_payload',
};

/**
 * A step that does nothing but accept jobs that are as most are: of one handler and queue, due at once, with a JSON
 * payload and nothing else. Short, because whoever enqueues one job waits for all of it, and a statement over many columns
 * takes longer to begin than to carry out.
 *
 * Answers with null when all were created; otherwise with the outcomes and ids as JSON.
 */
export function enqueueUniformFunction(s: string, fastPaths: FastPaths): string {
  const spec = { ...SPEC, payload: inRowSql('n.payload', fastPaths) };
  const general = NEW_JOB_COLUMNS.map(([name]) => ARGUMENTS[name] ?? 'null');
  return `
    create or replace function ${s}.enqueue_usual(
      p_now bigint, p_writer text, n_id text[], n_handler text, n_queue text, n_detail text, n_payload text) returns text
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      p_seq bigint;
      v_records text;
      v_enqueued record;
      v_answer text;
    begin
      if p_writer is not null then
        p_seq := nextval('${s}.audit_seq');
      end if;
      begin
        with n as materialized (
          select i.id, i.payload, null::bytea as payload_bytes, nextval('${s}.job_seq') as seq
          from unnest(n_id, string_to_array(n_payload, E'\\x01', '')) as i(id, payload)
        ), numbered as (
          insert into ${s}.ids (id, seq) select n.id, n.seq from n
        ), accepted as (
          ${insertSql(ENQUEUE, `${s}.jobs`, spec)}
          from n
        ), large as (
          ${keepLargeSql(s, 'n', fastPaths)}
        )
        select ${transitionGroupsSql(s, 'enqueue', ENQUEUE, { detail: 'n_detail', rows: 'n' })} into v_records;
      exception when unique_violation then
        -- An id is there already.
        v_enqueued := ${s}.enqueue(p_now, p_seq, ${general.join(', ')});
        v_records := v_enqueued.records;
        v_answer := json_build_array(v_enqueued.outcomes, v_enqueued.ids)::text;
      end;
      if v_records <> '' and p_writer is not null then
        perform ${s}.write_block(p_seq, ${NOW}, p_writer, v_records);
      end if;
      return v_answer;
    end $$;`;
}
