import { setSql } from './transition-sql.ts';

/** Makes due jobs ready. Physical: no record, no token. */
export function promoteFunction(s: string): string {
  return `
    create or replace function ${s}.promote(p_now bigint, p_limit integer) returns integer
    language plpgsql volatile as $$
    declare
      v_count integer;
    begin
      update ${s}.jobs j set ${setSql('promote', { of: 'j' })} where j.seq = any(array(
        select d.seq from ${s}.jobs d where d.state = 'scheduled' and d.due_at <= p_now
        order by d.due_at limit p_limit for update skip locked));
      get diagnostics v_count = row_count;
      return v_count;
    end $$;`;
}
