import { NEW_JOBS } from './enqueue-function.ts';
import { NOW } from './now.ts';

/**
 * Accepts jobs inside the caller's own transaction. Its block is a leaf, and known by the transaction's id: a chain's head
 * would be wrong after a rollback, and to read it callers would have to wait for each other.
 */
export function enqueueInFunction(s: string): string {
  return `
    create or replace function ${s}.enqueue_in(p_now bigint, ${NEW_JOBS.parameters}, out outcomes text[], out ids text[])
    language plpgsql volatile as $$
    declare
      v_seq bigint;
      v_enqueued record;
    begin
      for v_race in 1..5 loop
        begin
          v_seq := nextval('${s}.audit_seq');
          v_enqueued := ${s}.enqueue(p_now, v_seq, ${NEW_JOBS.passedOn});
          exit;
        exception when check_violation then
          -- Somebody has changed a job that was to be replaced, and has a later number.
          if v_race = 5 then raise; end if;
        end;
      end loop;
      if v_enqueued.records <> '' then
        perform ${s}.write_leaf(v_seq, ${NOW}, v_enqueued.records);
      end if;
      outcomes := v_enqueued.outcomes;
      ids := v_enqueued.ids;
    end $$;`;
}
