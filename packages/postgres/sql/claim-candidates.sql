-- Which candidates? These functions find and lock jobs that a claim may take, and answer with arrays that have an entry per
-- candidate, in their order.
--
-- safe: a crash of its holder would not hurt, because it has lost no lease and has time until another worker takes it. A row
-- that another step has changed since this one drew its number (p_seq) is left to the next claim: see AUDIT_ORDER.
-- p_excluded: limit keys.

-- Of several lanes and tenants, of one priority: the tenants in turn. Few pairs of lanes and tenants are looked at one by
-- one; of many, a walk through the index first finds those that have ready jobs: most lanes have jobs of few tenants.
create or replace function redrive.candidates_in_turn(
  p_now bigint, p_seq bigint, p_excluded text[], p_max_losses integer, p_safe_from bigint,
  p_lanes integer[], p_handlers text[], p_queues text[], v_priority integer, p_tenants text[],
  p_quota integer, p_lane_room integer[], p_room integer, p_ahead integer, p_more boolean,
  out tids tid[], out lanes integer[], out keys text[], out safe boolean[], out tenants text[],
  out all_safe boolean, out any_key boolean, out rounds integer, out last_at bigint)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_last text := p_tenants[cardinality(p_tenants)];
  -- Their turns begin in the middle of the tenants, and go on from the first one.
  v_wraps boolean := p_tenants[1] > v_last collate "C";
begin
  if cardinality(p_lanes) * cardinality(p_tenants) <= 5000 /* pairs */ then
    select array_agg(o.tid order by o.round, o.turn),
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
        from unnest(p_lanes, p_handlers, p_queues) as u(lane, handler, queue)
        cross join unnest(p_tenants) with ordinality as t(tenant, turn)) p
      cross join lateral (
        select j.ctid as tid, j.id, j.submitted_at, j.limit_key,
          redrive.losses(j.lease_lost, j.account) = 0 and (j.deadline is null or j.deadline > p_safe_from) as safe
        from redrive.jobs j
        where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue and j.priority = v_priority
          and j.tenant = p.tenant and (j.deadline is null or j.deadline > p_now)
          and j.audit_block <= coalesce(p_seq, 9223372036854775807)
          and (j.limit_key is null or concat(j.handler, E'\x01', j.limit_key) <> all(p_excluded))
          and (p_max_losses is null or redrive.losses(j.lease_lost, j.account) <= p_max_losses)
          and (p.any_of_it or (redrive.losses(j.lease_lost, j.account) = 0 and (j.deadline is null or j.deadline > p_safe_from)))
        order by j.submitted_at, j.id limit least(p_quota, p.cap) for update of j skip locked) c
      where p.turn is not null
    ) o where o.round <= p_quota;
  else
    with recursive walk as (
      select u.lane, u.handler, u.queue, g.until, (
        select j.tenant from redrive.jobs j where j.state = 'ready' and j.handler = u.handler and j.queue = u.queue
          and j.priority = v_priority and j.tenant >= g.since order by j.tenant limit 1) as tenant
      from unnest(p_lanes, p_handlers, p_queues) as u(lane, handler, queue)
      cross join (
        select p_tenants[1] as since, case when not v_wraps then v_last end as until
        union all select '', v_last where v_wraps) g
      union all
      select w.lane, w.handler, w.queue, w.until, (
        select j.tenant from redrive.jobs j where j.state = 'ready' and j.handler = w.handler and j.queue = w.queue
          and j.priority = v_priority and j.tenant > w.tenant order by j.tenant limit 1)
      from walk w where w.tenant is not null and (w.until is null or w.tenant < w.until))
    select array_agg(o.tid order by o.round, o.turn),
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
        from (
          select w.*, array_position(p_tenants, w.tenant) as turn from walk w
          where w.tenant is not null and (w.until is null or w.tenant <= w.until)) u) p
      cross join lateral (
        select j.ctid as tid, j.id, j.submitted_at, j.limit_key,
          redrive.losses(j.lease_lost, j.account) = 0 and (j.deadline is null or j.deadline > p_safe_from) as safe
        from redrive.jobs j
        where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue and j.priority = v_priority
          and j.tenant = p.tenant and (j.deadline is null or j.deadline > p_now)
          and j.audit_block <= coalesce(p_seq, 9223372036854775807)
          and (j.limit_key is null or concat(j.handler, E'\x01', j.limit_key) <> all(p_excluded))
          and (p_max_losses is null or redrive.losses(j.lease_lost, j.account) <= p_max_losses)
          and (p.any_of_it or (redrive.losses(j.lease_lost, j.account) = 0 and (j.deadline is null or j.deadline > p_safe_from)))
        order by j.submitted_at, j.id limit least(p_quota, p.cap) for update of j skip locked) c
      where p.turn is not null
    ) o where o.round <= p_quota;
  end if;
end $$;

-- Asked for by their ids, also where their limit key holds them back. p_any: lanes without room, too.
create or replace function redrive.candidates_by_id(
  p_now bigint, p_seq bigint, p_excluded text[], p_max_losses integer, p_safe_from bigint,
  p_ids text[], p_handlers text[], p_queues text[], p_paused_handlers text[], p_paused_queues text[],
  p_killed_tenants text[], p_lane_room integer[], p_any boolean,
  out tids tid[], out lanes integer[], out keys text[], out safe boolean[], out tenants text[],
  out all_safe boolean, out any_key boolean, out rounds integer, out last_at bigint)
language plpgsql volatile as $$
#variable_conflict use_column
begin
  select array_agg(c.tid order by c.ord),
    array_agg(c.limit_key order by c.ord), array_agg(c.safe order by c.ord),
    array_agg(c.lane order by c.ord), array_agg(c.tenant order by c.ord),
    bool_and(c.safe), bool_or(c.limit_key is not null), count(*)
  into tids, keys, safe, lanes, tenants, all_safe, any_key, rounds
  from (
    select j.ctid as tid, j.id, j.submitted_at, j.limit_key,
          redrive.losses(j.lease_lost, j.account) = 0 and (j.deadline is null or j.deadline > p_safe_from) as safe,
      j.tenant, p.lane::integer as lane, o.ord
    from unnest(p_ids) with ordinality as o(id, ord) join redrive.ids i on i.id = o.id
    join redrive.jobs j on j.seq = i.seq
    join unnest(p_handlers) with ordinality as p(handler, lane) on p.handler = j.handler
    where j.state in ('ready', 'held') and (p_queues is null or j.queue = any(p_queues))
      and j.handler <> all(p_paused_handlers) and j.queue <> all(p_paused_queues)
      and j.tenant <> all(p_killed_tenants) and (p_any or p_lane_room[p.lane] > 0) and (j.deadline is null or j.deadline > p_now)
          and j.audit_block <= coalesce(p_seq, 9223372036854775807)
          and (j.limit_key is null or concat(j.handler, E'\x01', j.limit_key) <> all(p_excluded))
          and (p_max_losses is null or redrive.losses(j.lease_lost, j.account) <= p_max_losses)
    for update of j skip locked) c;
end $$;
