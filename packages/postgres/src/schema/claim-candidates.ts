import { LEASES_UNTIL_TAKEN, MAX_SUSPECTS } from '@redrive/durable/store';
import type { FastPaths } from '../fast-paths.ts';
import { READY } from './ready-functions.ts';
import type { TransitionSql } from './transition-sql.ts';

/** A number in the text of a job's account. The text may be damaged: that must not end the claim. */
const inAccount = (place: number): string =>
  `coalesce(substring(split_part(j.account, ',', ${place}) from '^[0-9]{1,9}$')::integer, 0)`;

/**
 * Leases that a job has lost in a row: `lossesOf` of durable. In the text of its account, the ninth number counts those that
 * were not charged, the eleventh is `clearedLosses`. A text that has a ninth number is at least 17 characters long.
 */
const LOSSES = `(j.lease_lost + case when coalesce(octet_length(j.account), 0) < 17 then 0
  else ${inAccount(9)} - ${inAccount(11)} end)`;

/**
 * Names the candidates that have lost too many leases. If there are any, the next looks leave all of them out, so that
 * any number of them hides no other job. A claim whose candidates are all safe does not call it.
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

/** A claim of the job `j`, by the lane `a`. */
export const CLAIM: TransitionSql = {
  of: 'j',
  given: {
    worker: 'c_worker',
    leaseMs: 'c_lease',
    policy_hash: 'l_policy_hash[a.lane]',
    alone: 'c_alone',
  },
};

/** A crash of its holder would not hurt: it has lost no lease, and has time until another worker takes it. */
const SAFE = `${LOSSES} = 0 and (j.deadline is null or j.deadline > p_safe_from)`;

const CANDIDATE = `j.ctid as tid, j.id, j.submitted_at, j.limit_key, ${SAFE} as safe`;

/** A row that another step has changed since this one drew its number is left to the next claim: see `AUDIT_ORDER`. */
const OPEN = `(j.deadline is null or j.deadline > p_now) and j.audit_block <= coalesce(p_seq, 9223372036854775807)
            and (j.limit_key is null or concat(j.handler, E'\\x01', j.limit_key) <> all(p_excluded))
            and (p_max_losses is null or ${LOSSES} <= p_max_losses)`;

/** The parameters of all of them. `p_excluded`: limit keys. */
const PARAMETERS = `p_now bigint, p_seq bigint, p_excluded text[], p_max_losses integer, p_safe_from bigint`;
const SAFE_FROM = `v_now + ${LEASES_UNTIL_TAKEN} * c_lease`;
const ARGUMENTS = `v_now, p_seq, v_excluded, case when v_pass_suspects then c_max_losses end, ${SAFE_FROM}`;

/** The answer of all of them: arrays with an entry per candidate, in their order, and facts about all. */
const ANSWER = [
  ['tids', 'tid[]', 'v_tids'],
  ['lanes', 'integer[]', 'v_lane_of'],
  ['keys', 'text[]', 'v_key_of'],
  ['safe', 'boolean[]', 'v_safe_of'],
  ['tenants', 'text[]', 'v_tenant_of'],
  ['all_safe', 'boolean', 'v_all_safe'],
  ['any_key', 'boolean', 'v_any_key'],
  ['rounds', 'integer', 'v_rounds'],
  ['last_at', 'bigint', 'v_last_at'],
] as const;
const OUT = ANSWER.map(([name, type]) => `out ${name} ${type}`).join(', ');
const NAMES = ANSWER.map(([name]) => `c.${name}`).join(', ');
const VARIABLES = ANSWER.map(([, , variable]) => variable).join(', ');

/** The statement of a claim that looks for candidates. */
export function lookSql(s: string, name: string, more: string): string {
  return `select ${NAMES}
              into ${VARIABLES}
              from ${s}.${name}(${ARGUMENTS}, ${more}) c;`;
}

/**
 * The statement that looks for candidates of one handler, queue, priority and tenant: one range of the index. Most claims
 * need no other, so it is part of the claim and not a function. `v_any_suspect`: one of them has lost too many leases.
 */
export function lookAtOneSql(s: string): string {
  const own = (sql: string): string =>
    sql
      .replaceAll('p_safe_from', SAFE_FROM)
      .replaceAll('p_now', 'v_now')
      .replaceAll('p_excluded', 'v_excluded')
      .replaceAll('p_max_losses', 'v_max_losses');
  return `select array_agg(c.tid), array_agg(c.limit_key), array_agg(c.safe), bool_and(c.safe),
                bool_or(c.limit_key is not null), bool_or(c.losses > c_max_losses), count(*), max(c.submitted_at)
              into v_tids, v_key_of, v_safe_of, v_all_safe, v_any_key, v_any_suspect, v_rounds, v_last_at
              from (
                select ${own(CANDIDATE)}, ${LOSSES} as losses
                from ${s}.jobs j
                where j.state = 'ready' and j.handler = v_handlers[1] and j.queue = v_queues[1]
                  and j.priority = v_priority and j.tenant = v_tenants[1]
                  and j.submitted_at >= coalesce(v_from_at, -9223372036854775808) and ${own(OPEN)}
                order by j.submitted_at, j.id limit v_quota for update of j skip locked) c;
              v_lane_of := array_fill(v_lanes[1], array[v_rounds]);
              v_tenant_of := array_fill(v_tenants[1], array[v_rounds]);`;
}

/** Every lane with every tenant. */
const CROSSED = `unnest(p_lanes, p_handlers, p_queues) as u(lane, handler, queue)
            cross join unnest(p_tenants) with ordinality as t(tenant, turn)`;

/** The lanes and tenants that have ready jobs: most lanes have jobs of few tenants. */
const WALKED = `(
              select w.*, array_position(p_tenants, w.tenant) as turn from walk w
              where w.tenant is not null and (w.until is null or w.tenant <= w.until)) u`;

/** From tenant to tenant within each lane, through the index. `u` has one row per lane and tenant. */
function walkSql(s: string): string {
  return `
          select u.lane, u.handler, u.queue, g.until, (
            select j.tenant from ${s}.jobs j where ${READY('u')} and j.tenant >= g.since order by j.tenant limit 1) as tenant
          from unnest(p_lanes, p_handlers, p_queues) as u(lane, handler, queue)
          cross join (
            select p_tenants[1] as since, case when not v_wraps then v_last end as until
            union all select '', v_last where v_wraps) g
          union all
          select w.lane, w.handler, w.queue, w.until, (
            select j.tenant from ${s}.jobs j where ${READY('w')} and j.tenant > w.tenant order by j.tenant limit 1)
          from walk w where w.tenant is not null and (w.until is null or w.tenant < w.until)`;
}

/** Locks the first jobs of each lane and tenant, and puts them in turn. */
function inTurnSql(s: string, pairs: string): string {
  return `select array_agg(o.tid order by o.round, o.turn),
          array_agg(o.lane order by o.round, o.turn), array_agg(o.limit_key order by o.round, o.turn),
          array_agg(o.safe order by o.round, o.turn), array_agg(o.tenant order by o.round, o.turn),
          bool_and(o.safe), bool_or(o.limit_key is not null), max(o.round)
        into tids, lanes, keys, safe, tenants, all_safe, any_key, rounds
        from (
          select c.*, p.turn, p.tenant, p.lane,
            row_number() over (partition by p.turn order by c.submitted_at, c.id) as round
          from (
            select u.lane, u.handler, u.queue, tenant, turn,
              -- A lane without room is looked at only for jobs that may be taken ahead.
              least(p_lane_room[u.lane], p_room) > 0 or (p_room = 0 and not p_more) as any_of_it,
              case
                when least(p_lane_room[u.lane], p_room) + p_ahead > 0 then least(p_lane_room[u.lane], p_room) + p_ahead + 1
                when p_room = 0 then 1
                else 0 end as cap
            from ${pairs}) p
          cross join lateral (
            select ${CANDIDATE}
            from ${s}.jobs j
            where ${READY('p')} and j.tenant = p.tenant and ${OPEN} and (p.any_of_it or (${SAFE}))
            order by j.submitted_at, j.id limit least(p_quota, p.cap) for update of j skip locked) c
          where p.turn is not null
        ) o where o.round <= p_quota;`;
}

/** The functions that find and lock jobs which a claim may take. */
export function candidatesFunctions(s: string, fastPaths: FastPaths): string {
  const header = (name: string, more: string): string => `create or replace function ${s}.${name}(
      ${PARAMETERS}, ${more},
      ${OUT})
    language plpgsql volatile as $$
    #variable_conflict use_column`;
  return `
    -- Of several lanes and tenants, of one priority: the tenants in turn.
    ${header(
      'candidates_in_turn',
      `p_lanes integer[], p_handlers text[], p_queues text[], v_priority integer, p_tenants text[],
      p_quota integer, p_lane_room integer[], p_room integer, p_ahead integer, p_more boolean`,
    )}
    declare
      v_last text := p_tenants[cardinality(p_tenants)];
      -- Their turns begin in the middle of the tenants, and go on from the first one.
      v_wraps boolean := p_tenants[1] > v_last collate "C";
    begin
      if cardinality(p_lanes) * cardinality(p_tenants) <= ${fastPaths.pairs} then
        ${inTurnSql(s, CROSSED)}
      else
        with recursive walk as (${walkSql(s)})
        ${inTurnSql(s, WALKED)}
      end if;
    end $$;

    -- Asked for by their ids, also where their limit key holds them back. p_any: lanes without room, too.
    ${header(
      'candidates_by_id',
      `p_ids text[], p_handlers text[], p_queues text[], p_paused_handlers text[], p_paused_queues text[],
      p_killed_tenants text[], p_lane_room integer[], p_any boolean`,
    )}
    begin
      select array_agg(c.tid order by c.ord),
        array_agg(c.limit_key order by c.ord), array_agg(c.safe order by c.ord),
        array_agg(c.lane order by c.ord), array_agg(c.tenant order by c.ord),
        bool_and(c.safe), bool_or(c.limit_key is not null), count(*)
      into tids, keys, safe, lanes, tenants, all_safe, any_key, rounds
      from (
        select ${CANDIDATE},
          j.tenant, p.lane::integer as lane, o.ord
        from unnest(p_ids) with ordinality as o(id, ord) join ${s}.ids i on i.id = o.id
        join ${s}.jobs j on j.seq = i.seq
        join unnest(p_handlers) with ordinality as p(handler, lane) on p.handler = j.handler
        where j.state in ('ready', 'held') and (p_queues is null or j.queue = any(p_queues))
          and j.handler <> all(p_paused_handlers) and j.queue <> all(p_paused_queues)
          and j.tenant <> all(p_killed_tenants) and (p_any or p_lane_room[p.lane] > 0) and ${OPEN}
        for update of j skip locked) c;
    end $$;`;
}
