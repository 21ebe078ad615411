import { joinRecords } from './audit-sql.ts';
import { CLAIM_ARGUMENTS, CLAIM_PARAMETERS } from './claim-variables.ts';
import { answerSql } from './claimed-columns.ts';
import { NEW_JOBS } from './enqueue-function.ts';
import { NOW } from './now.ts';
import { SETTLEMENTS } from './settle-function.ts';

/**
 * The daily work of workers and enqueueing callers, in one round trip and one commit: attempts are settled, jobs accepted, then
 * jobs are claimed, and the audit block is written from exactly these changes. A part whose parameters are null is skipped.
 *
 * Returns rows of one type. A row without a `kind` is a claimed job. A row of the kind `settle`, `enqueue`, `claim` or
 * `block` has the result of that part in `meta`; `call-step.ts` reads them.
 *
 * `p_writer` null: this step writes no block. Then the row `records` returns its records, and the caller writes them into
 * the block with the number `p_seq`. `p_seq` null too: there is no audit.
 *
 * The prefix of a parameter names its part: `s_` settlements, `n_` new jobs, `c_` the claim, `l_` the claim's lanes (one
 * value per handler), `p_` the step as a whole.
 */
export function stepFunction(s: string): string {
  const answer = (kind: string, meta: string): string => answerSql(s, kind, meta);
  return `
    create or replace function ${s}.step(
      p_now bigint, p_seq bigint, p_writer text,
      ${SETTLEMENTS.parameters},
      ${NEW_JOBS.parameters},
      ${CLAIM_PARAMETERS}
    ) returns setof ${s}.answer language plpgsql volatile as $$
    declare
      v_records text;
      v_settled record;
      v_enqueued record;
    begin
      if p_writer is not null then
        p_seq := nextval('${s}.audit_seq');
      end if;
      if s_id is not null then
        v_settled := ${s}.settle(p_now, p_seq, ${SETTLEMENTS.passedOn});
        v_records := v_settled.records;
        if v_settled.refused is not null or v_settled.released > 0 then
          ${answer('settle', "json_build_array(coalesce(v_settled.refused, '{}'), coalesce(v_settled.refusals, '{}'), coalesce(v_settled.released, 0))")}
        end if;
      end if;
      if n_id is not null then
        v_enqueued := ${s}.enqueue(p_now, p_seq, ${NEW_JOBS.passedOn});
        v_records := ${joinRecords('v_records', 'v_enqueued.records')};
        if v_enqueued.outcomes is not null then
          ${answer('enqueue', 'json_build_array(v_enqueued.outcomes, v_enqueued.ids)')}
        end if;
      end if;
      if c_worker is not null then
        return query select * from ${s}.claim(p_now, p_seq, p_writer, v_records, ${CLAIM_ARGUMENTS});
      else
        return query select * from ${s}.end_step(p_now, p_seq, p_writer, v_records);
      end if;
    end $$;`;
}

/** Writes the audit block of a step, or returns its records to the caller: see `stepFunction`. */
export function endStepFunction(s: string): string {
  return `
    create or replace function ${s}.end_step(p_now bigint, p_seq bigint, p_writer text, p_records text)
    returns setof ${s}.answer language plpgsql volatile as $$
    begin
      if p_records <> '' and p_writer is not null then
        perform ${s}.write_block(p_seq, ${NOW}, p_writer, p_records);
        ${answerSql(s, 'block', 'p_seq')}
      elsif p_records <> '' and p_seq is not null then
        ${answerSql(s, 'records', 'p_records')}
      end if;
    end $$;`;
}
