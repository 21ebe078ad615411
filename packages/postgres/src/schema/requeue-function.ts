import { LEGAL_FROM } from '@redrive/durable/store';
import { requeued } from './act-function.ts';
import { NOW } from './now.ts';
import { moveSql, statesSql, transitionRecordSql } from './transition-sql.ts';

/**
 * Sends many finished jobs back at once, as they are: an act on each costs several times as much. Answers with those that
 * it has taken; the others (which refuse, or have a unique key) are for `act`, which says why.
 */
export function requeueFunction(s: string): string {
  const record = transitionRecordSql('requeue', requeued('j'), {
    from: 'j.v_from',
    detail: 'p_detail',
  });
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
        where f.generation = o.generation and f.state in ${statesSql(LEGAL_FROM.requeue)} and f.unique_key is null
        order by f.seq for update of f);
    begin
      v_now := ${NOW};
      return query
      with gone as (
        delete from ${s}.finished f where f.seq = any(v_seqs) returning f.*, f.state::text as v_from
      ), added as (
        ${moveSql('requeue', requeued('j'), `${s}.jobs`)}
        from gone j
      )
      select j.id, ${record} from gone j;
    end $$;`;
}
