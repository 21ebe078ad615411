import { MAX_SUSPECTS } from '@redrive/durable/store';

/**
 * Leases that a job has lost in its generation. Those that were not charged stand ninth in the text of its account, which
 * may be damaged: that must not end the claim.
 */
export const LOSSES = `(j.lease_lost + case when j.account is null then 0
  else coalesce(substring(split_part(j.account, ',', 9) from '^[0-9]{1,9}$')::integer, 0) end)`;

/**
 * Names the candidates that have lost too many leases. If there are any, the next looks leave all of them out: however
 * many there are, what stands behind them is found. Only where not all candidates are safe, so that most claims do not ask.
 */
export function passSuspectsSql(s: string): string {
  return `
              select json_agg(json_build_object('id', c.id, 'losses', c.losses) order by c.ord) into v_suspects
              from (
                select j.id, ${LOSSES} as losses, t.ord
                from unnest(v_tids) with ordinality as t(tid, ord) join ${s}.jobs j on j.ctid = t.tid
                where ${LOSSES} > c_max_losses order by t.ord limit ${MAX_SUSPECTS}) c;
              v_pass_suspects := v_suspects is not null;`;
}

/** Candidates that are asked for by their ids, also where their limit key holds them back. */
export function onlySql(s: string, candidate: string, open: string): string {
  return `
              v_quota := cardinality(c_only) + 1;
              select array_agg(c.tid order by c.ord), array_agg(c.record order by c.ord),
                array_agg(c.limit_key order by c.ord), array_agg(c.safe order by c.ord),
                array_agg(c.lane order by c.ord), array_agg(c.tenant order by c.ord),
                bool_and(c.safe), bool_or(c.limit_key is not null), count(*)
              into v_tids, v_record_of, v_key_of, v_safe_of, v_lane_of, v_tenant_of, v_all_safe, v_any_key, v_rounds
              from (
                select ${candidate}, j.tenant, p.lane::integer as lane, o.ord
                from unnest(c_only) with ordinality as o(id, ord) join ${s}.ids i on i.id = o.id
                join ${s}.jobs j on j.seq = i.seq
                join unnest(l_handler) with ordinality as p(handler, lane) on p.handler = j.handler
                where j.state in ('ready', 'held') and (c_queues is null or j.queue = any(c_queues))
                  and j.handler <> all(v_paused_handlers) and j.queue <> all(v_paused_queues)
                  and j.tenant <> all(v_killed_tenants) and (c_limit = 0 or v_lane_room[p.lane] > 0) and ${open}
                for update of j skip locked) c;`;
}
