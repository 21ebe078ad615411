import { MAX_SUSPECTS } from '@redrive/durable/store';

/**
 * Leases that a job has lost in its generation. Those that were not charged stand ninth in the text of its account, which
 * may be damaged: that must not end the claim. A text that has a ninth number is at least 17 characters long.
 */
export const LOSSES = `(j.lease_lost + case when coalesce(octet_length(j.account), 0) < 17 then 0
  else coalesce(substring(split_part(j.account, ',', 9) from '^[0-9]{1,9}$')::integer, 0) end)`;

/**
 * Names the candidates that have lost too many leases. If there are any, the next looks leave all of them out: however
 * many there are, what stands behind them is found. Only where not all candidates are safe, so that most claims do not ask.
 */
export function suspectsFunction(s: string): string {
  return `
    create or replace function ${s}.suspects(p_tids tid[], p_max_losses integer) returns json
    language plpgsql volatile as $$
    begin
      return (
        select json_agg(json_build_object('id', c.id, 'losses', c.losses) order by c.ord)
        from (
          select j.id, ${LOSSES} as losses, t.ord
          from unnest(p_tids) with ordinality as t(tid, ord) join ${s}.jobs j on j.ctid = t.tid
          where ${LOSSES} > p_max_losses order by t.ord limit ${MAX_SUSPECTS}) c);
    end $$;`;
}
