import { REQUEUED } from './act-function.ts';
import { recordSql } from './audit-sql.ts';
import { JOB_COLUMNS } from './job-columns.ts';
import { NOW } from './now.ts';

/** What a requeue that edits nothing changes. */
const VALUES = JOB_COLUMNS.map((column) => {
  const edits = column === 'payload' || column === 'payload_bytes';
  return edits ? `j.${column}` : (REQUEUED[column] ?? `j.${column}`);
});

/** `gone` has a column `state`, too: that of the job before. */
const RECORD = recordSql({
  id: 'j.id',
  event: "'requeue'",
  from: 'j.v_from',
  to: "'ready'",
  at: 'v_now',
  revision: 'j.revision + 1',
  token: 'j.token + 1',
  generation: 'j.generation + 1',
  executions: 'j.executions',
  previousBlock: 'j.audit_block',
  detail: 'p_detail',
});

/**
 * Sends many finished jobs back at once, as they are: an act on each costs several times as much. Answers with those that
 * it has taken; the others (which refuse, or have a unique key) are for `act`, which says why.
 */
export function requeueFunction(s: string): string {
  return `
    create or replace function ${s}.requeue_usual(
      p_now bigint, p_seq bigint, p_ids text[], p_generations integer[], p_detail text, p_deadline_at bigint, p_deadline_in bigint)
    returns table (taken text, records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint;
      v_seqs bigint[] := array(
        select f.seq from unnest(p_ids, p_generations) as o(id, generation)
        join ${s}.ids i on i.id = o.id join ${s}.finished f on f.seq = i.seq
        where f.generation = o.generation and f.state in ('dead', 'cancelled') and f.unique_key is null
        order by f.seq for update of f);
    begin
      v_now := ${NOW};
      return query
      with gone as (
        delete from ${s}.finished f where f.seq = any(v_seqs) returning f.*, f.state::text as v_from
      ), added as (
        insert into ${s}.jobs (${JOB_COLUMNS.join(', ')}) select ${VALUES.join(', ')} from gone j
      )
      select j.id, ${RECORD} from gone j;
    end $$;`;
}
