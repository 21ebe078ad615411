import { LEGAL_FROM } from '@redrive/durable/store';
import { NOW } from './now.ts';
import { setSql, statesSql, type TransitionSql, transitionRecordSql } from './transition-sql.ts';

/**
 * Moves dead letters to other causes, all in one statement. Answers with those that it has moved, in no order; the others
 * refuse, and `act` says why. `p_renames`: the cause gets the pattern although it has one.
 */
export function regroupFunction(s: string): string {
  const sql: TransitionSql = { of: 'f', given: { fingerprint: 'o.fingerprint' } };
  const record = transitionRecordSql(
    'regroup',
    { of: 'f' },
    {
      detail: 'o.detail',
      written: true,
    },
  );
  return `
    create or replace function ${s}.regroup(
      p_now bigint, p_seq bigint, p_ids text[], p_generations integer[], p_fingerprints text[], p_patterns text[],
      p_renames boolean[], p_details text[])
    returns table (moved text, records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint;
      v_seqs bigint[] := array(
        select f.seq from unnest(p_ids, p_generations) as o(id, generation)
        join ${s}.ids i on i.id = o.id join ${s}.finished f on f.seq = i.seq
        where f.generation = coalesce(o.generation, f.generation) and f.state in ${statesSql(LEGAL_FROM.regroup)}
        order by f.seq for update of f);
    begin
      v_now := ${NOW};
      if cardinality(v_seqs) > 0 then
        perform ${s}.keep_groups(p_fingerprints, p_patterns);
        update ${s}.dead_groups g set pattern = coalesce(o.pattern, '')
        from unnest(p_fingerprints, p_patterns, p_renames) as o(fingerprint, pattern, rename)
        where o.rename and g.fingerprint = o.fingerprint collate "C";
      end if;
      return query
      update ${s}.finished f set ${setSql('regroup', sql)}
      from unnest(p_ids, p_fingerprints, p_details) as o(id, fingerprint, detail)
      where f.seq = any(v_seqs) and f.id = o.id
      returning f.id, ${record};
    end $$;`;
}
