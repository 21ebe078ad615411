import { splitSql } from '../apply/array-literal.ts';
import type { FastPaths } from '../fast-paths.ts';
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
  spec: 'n_spec',
} as const;

/** An id can also be used, or deleted, while the statement runs again. */
const MAX_TRIES = 10;

/**
 * A step that only accepts jobs of one handler, queue and spec that are due at once and have a JSON payload: most jobs, and
 * all events of one source. Short, because the caller of one enqueue waits for all of it, and a statement over many columns
 * takes longer to begin than to carry out.
 *
 * Answers with null when all were created; otherwise with the outcomes and ids as JSON.
 */
export function enqueueUniformFunction(s: string, fastPaths: FastPaths): string {
  const spec = { ...SPEC, payload: inRowSql('n.payload', fastPaths) };
  return `
    create or replace function ${s}.enqueue_uniform(
      p_now bigint, p_writer text, n_id text[], n_handler text, n_queue text, n_detail text, n_payload text, n_spec text)
    returns text
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      p_seq bigint;
      v_records text;
      v_ids text[] := n_id;
      v_payloads text[] := ${splitSql('n_payload')};
      v_outcomes text[];
      v_tries integer := 0;
    begin
      if p_writer is not null then
        p_seq := nextval('${s}.audit_seq');
      end if;
      while cardinality(v_ids) > 0 loop
        begin
          with n as materialized (
            select i.id, i.payload, null::bytea as payload_bytes, nextval('${s}.job_seq') as seq
            from unnest(v_ids, v_payloads) as i(id, payload)
          ), numbered as (
            insert into ${s}.ids (id, seq) select n.id, n.seq from n
          ), accepted as (
            ${insertSql(ENQUEUE, `${s}.jobs`, spec)}
            from n
          ), large as (
            ${keepLargeSql(s, 'n', fastPaths)}
          )
          select ${transitionGroupsSql(s, 'enqueue', ENQUEUE, { detail: 'n_detail', rows: 'n' })} into v_records;
          exit;
        exception when unique_violation then
          -- A conflict that this transaction cannot see would come again and again.
          v_tries := v_tries + 1;
          if v_tries > ${MAX_TRIES} then
            raise exception 'An id is in use by a job that this transaction cannot see' using errcode = '40001';
          end if;
          -- Some ids exist. The statement was undone, and runs again for the others.
          select array_agg(i.id order by i.ord) filter (where d.id is null),
            array_agg(i.payload order by i.ord) filter (where d.id is null),
            array_agg(case when d.id is null then 'created' else ${s}.known_id(i.id, n_spec) end order by i.ord)
          into v_ids, v_payloads, v_outcomes
          from unnest(n_id, ${splitSql('n_payload')}) with ordinality as i(id, payload, ord)
            left join ${s}.ids d on d.id = i.id;
        end;
      end loop;
      if v_records <> '' and p_writer is not null then
        perform ${s}.write_block(p_seq, ${NOW}, p_writer, v_records);
      end if;
      return case when v_outcomes is not null then json_build_array(v_outcomes, n_id)::text end;
    end $$;`;
}
