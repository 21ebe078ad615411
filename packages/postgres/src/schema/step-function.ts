import type { FastPaths } from '../fast-paths.ts';
import { joinRecords } from './audit-sql.ts';
import { claimSql } from './claim-function.ts';
import { CLAIM_PARAMETERS } from './claim-parameters.ts';
import { CLAIMED_COLUMNS } from './claimed-columns.ts';
import { NEW_JOBS } from './enqueue-function.ts';
import { NOW } from './now.ts';
import { SETTLEMENTS } from './settle-function.ts';

/**
 * What workers and enqueueing callers do all day, in one round trip and one commit: attempts end, jobs are accepted, then
 * jobs are claimed, and the audit block is written from exactly what happened. Parts that are null do not take place.
 *
 * Answers with rows of one type: claimed jobs have no kind; `settle`, `enqueue`, `claim` and `block` say what there is
 * to say in `meta`.
 *
 * `p_writer` null: no block is written. Then `p_seq` is the number of the block that somebody else writes, from what the
 * row `records` has; null: there is no audit.
 */
export function stepFunction(s: string, fastPaths: FastPaths): string {
  const claim = claimSql(s, fastPaths);
  const say = (kind: string, meta: string): string =>
    `return next row('${kind}', ${meta}${', null'.repeat(CLAIMED_COLUMNS.length)})::${s}.answer;`;
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
      ${claim.declare}
    begin
      if p_writer is not null then
        p_seq := nextval('${s}.audit_seq');
      end if;
      if s_id is not null then
        v_settled := ${s}.settle(p_now, p_seq, ${SETTLEMENTS.passedOn});
        v_records := v_settled.records;
        if v_settled.refused is not null or v_settled.released > 0 then
          ${say('settle', "json_build_array(coalesce(v_settled.refused, '{}'), coalesce(v_settled.refusals, '{}'), coalesce(v_settled.released, 0))")}
        end if;
      end if;
      if n_id is not null then
        v_enqueued := ${s}.enqueue(p_now, p_seq, ${NEW_JOBS.passedOn});
        v_records := ${joinRecords('v_records', 'v_enqueued.records')};
        if v_enqueued.outcomes is not null then
          ${say('enqueue', 'json_build_array(v_enqueued.outcomes, v_enqueued.ids)')}
        end if;
      end if;
      if c_worker is not null then
        ${claim.body}
      end if;
      if v_records <> '' and p_writer is not null then
        perform ${s}.write_block(p_seq, ${NOW}, p_writer, v_records);
        ${say('block', 'p_seq')}
      elsif v_records <> '' and p_seq is not null then
        ${say('records', 'v_records')}
      end if;
    end $$;`;
}
