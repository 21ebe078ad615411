import { RECORD_SEPARATOR } from './audit-sql.ts';
import { CLAIM_ARGUMENTS, CLAIM_PARAMETERS, CLAIMED_COLUMNS } from './claim-function.ts';
import { NEW_JOB_ARGUMENTS, NEW_JOB_PARAMETERS } from './enqueue-function.ts';
import { NOW } from './now.ts';
import { SETTLEMENT_ARGUMENTS, SETTLEMENT_PARAMETERS } from './settle-function.ts';

const NO_JOB = ', null'.repeat(CLAIMED_COLUMNS.length);

/**
 * What workers and enqueueing callers do all day, in one round trip and one commit: attempts end, jobs are accepted, then
 * jobs are claimed, and the audit block is written from exactly what happened. Parts that are null do not take place.
 * `p_writer` null: no audit.
 */
export function stepFunction(s: string): string {
  const columns = CLAIMED_COLUMNS.map(([name]) => `c.${name}`).join(', ');
  return `
    create function ${s}.step(
      p_now bigint, p_writer text, p_prev text,
      ${SETTLEMENT_PARAMETERS},
      ${NEW_JOB_PARAMETERS},
      ${CLAIM_PARAMETERS}
    ) returns setof ${s}.answer language plpgsql volatile as $$
    declare
      v_seq bigint;
      v_records text;
      v_settled record;
      v_enqueued record;
    begin
      if p_writer is not null then
        v_seq := nextval('${s}.audit_seq');
      end if;
      if s_id is not null then
        v_settled := ${s}.settle(p_now, v_seq, ${SETTLEMENT_ARGUMENTS});
        v_records := v_settled.records;
        if v_settled.refused is not null or v_settled.released > 0 then
          return next row('settle', json_build_array(coalesce(v_settled.refused, '{}'), coalesce(v_settled.refusals, '{}'), coalesce(v_settled.released, 0))${NO_JOB})::${s}.answer;
        end if;
      end if;
      if n_id is not null then
        v_enqueued := ${s}.enqueue(p_now, v_seq, ${NEW_JOB_ARGUMENTS});
        v_records := concat_ws(${RECORD_SEPARATOR}, v_records, v_enqueued.records);
        if v_enqueued.outcomes is not null then
          return next row('enqueue', json_build_array(v_enqueued.outcomes, v_enqueued.ids)${NO_JOB})::${s}.answer;
        end if;
      end if;
      if c_worker is null then
        if v_records <> '' then
          return next row('block', concat(v_seq, ',', ${s}.write_block(v_seq, ${NOW}, p_writer, p_prev, v_records))${NO_JOB})::${s}.answer;
        end if;
      else
        return query
          with c as materialized (select * from ${s}.claim(p_now, v_seq, ${CLAIM_ARGUMENTS})),
          r as (
            select concat_ws(${RECORD_SEPARATOR}, v_records, string_agg(c.meta, ${RECORD_SEPARATOR})) as records
            from c where c.kind = 'job')
          select c.kind, case when c.kind = 'claim' then c.meta end, ${columns} from c
          union all
          select 'block', concat(v_seq, ',', ${s}.write_block(v_seq, ${NOW}, p_writer, p_prev, nullif(r.records, '')))${NO_JOB}
          from r where r.records <> '' and v_seq is not null;
      end if;
    end $$;`;
}
