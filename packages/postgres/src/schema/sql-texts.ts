/** Files of `sql/`, by their names. Made from them by `sql-files.test.ts`, with `-u`. */
export const SQL_TEXTS = {
  'claim-first': `-- Where do the ready jobs of one handler begin? Most claims are for one handler, which has jobs in one queue, of one tenant:
-- three looks into the index show it.
--
-- The cursor says where to begin to look, so that entries of the index are not passed over again and again that are dead.
-- There are as many as jobs were claimed since the last vacuum, which comes once a minute at most; and none is removed while
-- somebody else's transaction is held open.
--
-- It is set only by a claim from one handler, queue, priority and tenant whose look went over many pages, and is good for
-- twenty times as long as that look took, between a tenth of a second and five seconds. Then the next look goes from the
-- start: a job with an earlier place (a retry keeps its own) may wait for that time, also when nothing is behind the cursor,
-- because an idle worker would pass over all dead entries at every notice. Other queues and tenants, and higher priorities,
-- are looked for every time. It belongs to the session, and a step that is rolled back takes it with it. Before the time at
-- which it was set it is not good either: the server's clock may be set back by hours.

-- The first ready job of a handler, or the place of the cursor. only_range: all ready jobs of the first priority have its
-- queue and tenant. No queue: there is no ready job.
create or replace function redrive.first_range(
  p_handler text, p_jobs integer, p_killed_tenants text[],
  out queue text, out priority integer, out tenant text, out submitted_at bigint, out only_range boolean,
  -- Handler, queue, priority, tenant, time of submission, and from when until when it is good. Null: it is not used.
  out cursor text[],
  -- What the look cost, where the cursor is not used.
  out pages bigint, out took_ms integer)
language plpgsql volatile as $$
#variable_conflict use_variable
declare
  v_cursor text[] := string_to_array(current_setting('redrive.cursor_redrive', true), E'\\x01');
  v_began timestamptz;
  v_more_queues boolean;
  v_more_tenants boolean;
begin
  pages := 0;
  if v_cursor[1] = p_handler and v_cursor[6]::bigint <= redrive.clock_ms() and v_cursor[7]::bigint > redrive.clock_ms()
    and p_jobs >= 8 /* cursorJobs */ and v_cursor[4] <> all(p_killed_tenants) then
    queue := v_cursor[2];
    priority := v_cursor[3]::integer;
    tenant := v_cursor[4];
    submitted_at := v_cursor[5]::bigint;
    only_range := not (
      exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue < queue)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue > queue)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority > priority)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority = priority and j.tenant < tenant)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority = priority and j.tenant > tenant));
    if only_range then
      cursor := v_cursor;
      return;
    end if;
  end if;

  v_began := clock_timestamp();
  pages := pg_stat_get_xact_blocks_fetched('redrive.jobs_ready'::regclass);
  select h.queue, h.priority, h.tenant, h.submitted_at,
    exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue > h.queue),
    exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = h.queue
      and j.priority = h.priority and j.tenant > h.tenant)
  into queue, priority, tenant, submitted_at, v_more_queues, v_more_tenants
  from (
    select j.queue, j.priority, j.tenant, j.submitted_at from redrive.jobs j
    where j.state = 'ready' and j.handler = p_handler
    order by j.queue, j.priority desc, j.tenant, j.submitted_at, j.id limit 1) h;
  only_range := not found or not (v_more_queues or v_more_tenants);
  pages := pg_stat_get_xact_blocks_fetched('redrive.jobs_ready'::regclass) - pages;
  took_ms := ceil(extract(epoch from clock_timestamp() - v_began) * 1000);
end $$;

-- Keeps the place behind a claim from one range of the index. p_cursor: the one that it was found by keeps its times.
create or replace function redrive.keep_cursor(
  p_handler text, p_queue text, p_priority integer, p_tenant text, p_last_at bigint, p_cursor text[], p_took_ms integer)
returns void language plpgsql volatile as $$
declare
  v_now bigint := redrive.clock_ms();
  v_cursor text := array_to_string(array[
    p_handler, p_queue, p_priority::text, p_tenant, p_last_at::text,
    coalesce(p_cursor[6], v_now::text),
    coalesce(p_cursor[7], (v_now + least(5000, greatest(100 /* cursorMs */, 20 * p_took_ms)))::text)], E'\\x01');
begin
  -- A name may contain the separator.
  if cardinality(string_to_array(v_cursor, E'\\x01')) = 7 then
    perform set_config('redrive.cursor_redrive', v_cursor, false);
  end if;
end $$;

-- The server's clock at this very moment, in milliseconds. Never now(), which is the start of the transaction: a lease that
-- counts from there may be born expired. Rounded down, so that nothing is ever early.
create or replace function redrive.clock_ms() returns bigint
language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;
`,
  'open-lanes': `-- Which lanes are open? The pairs of a claim's handlers and of queues that have ready jobs, with the number of the handler.
create or replace function redrive.open_lanes(
  p_handlers text[], p_queues text[], p_paused_handlers text[], p_paused_queues text[],
  out lanes integer[], out handlers text[], out queues text[])
language plpgsql volatile as $$
begin
  with recursive pairs as (
    select l.lane::integer as lane, l.handler, (
      select j.queue from redrive.jobs j where j.state = 'ready' and j.handler = l.handler
      order by j.queue limit 1) as queue
    from unnest(p_handlers) with ordinality as l(handler, lane) where l.handler <> all(p_paused_handlers)
    union all
    select p.lane, p.handler, (
      select j.queue from redrive.jobs j where j.state = 'ready' and j.handler = p.handler and j.queue > p.queue
      order by j.queue limit 1)
    from pairs p where p.queue is not null
  )
  select array_agg(p.lane), array_agg(p.handler), array_agg(p.queue) into lanes, handlers, queues
  from pairs p
  where p.queue is not null and p.queue <> all(p_paused_queues) and (p_queues is null or p.queue = any(p_queues));
end $$;
`,
  tenants: `-- Whose turn is it?

-- The tenants at a priority, in code point order: at most p_limit after (or from) one, up to (and with) another, without
-- those that a kill switch stops.
create or replace function redrive.tenants_to_serve(
  p_handlers text[], p_queues text[], v_priority integer, p_after text, p_inclusive boolean, p_until text,
  p_limit integer, p_killed text[])
returns text[] language plpgsql volatile as $$
declare
  v_tenants text[];
begin
  -- Jumps from tenant to tenant through the index, so the cost follows the tenants and not their jobs.
  with recursive turns as (
    select p.handler, p.queue, 0 as served, case when p_inclusive
      then (select j.tenant from redrive.jobs j where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue and j.priority = v_priority and j.tenant >= p_after order by j.tenant limit 1)
      else (select j.tenant from redrive.jobs j where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue and j.priority = v_priority and j.tenant > p_after order by j.tenant limit 1)
      end as tenant
    from unnest(p_handlers, p_queues) as p(handler, queue)
    union all
    select t.handler, t.queue, t.served + (t.tenant <> all(p_killed))::integer,
      (select j.tenant from redrive.jobs j where j.state = 'ready' and j.handler = t.handler and j.queue = t.queue and j.priority = v_priority and j.tenant > t.tenant order by j.tenant limit 1)
    from turns t where t.tenant is not null and t.served < p_limit
  )
  select array_agg(d.tenant) into v_tenants from (
    select distinct t.tenant collate "C" as tenant from turns t
    where t.tenant is not null and (p_until is null or t.tenant collate "C" <= p_until)
      and t.tenant <> all(p_killed)
    order by 1 limit p_limit) d;
  return v_tenants;
end $$;

-- The same in turn: tenants after (or from) p_from, then the others from the start. Null: from the start.
create or replace function redrive.tenants_in_turn(
  p_handlers text[], p_queues text[], v_priority integer, p_from text, p_inclusive boolean, p_limit integer,
  p_killed text[])
returns text[] language plpgsql volatile as $$
declare
  v_tenants text[] := redrive.tenants_to_serve(
    p_handlers, p_queues, v_priority, coalesce(p_from, ''), p_from is null or p_inclusive, null, p_limit, p_killed);
begin
  if p_from is not null and coalesce(cardinality(v_tenants), 0) < p_limit then
    v_tenants := v_tenants || (
      select array_agg(t.tenant) from unnest(redrive.tenants_to_serve(
        p_handlers, p_queues, v_priority, '', true, p_from, p_limit - coalesce(cardinality(v_tenants), 0),
        p_killed)) as t(tenant) where not p_inclusive or t.tenant <> p_from);
  end if;
  return v_tenants;
end $$;
`,
  'claim-candidates': `-- Which candidates? These functions find and lock jobs that a claim may take, and answer with arrays that have an entry per
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
          and (j.limit_key is null or concat(j.handler, E'\\x01', j.limit_key) <> all(p_excluded))
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
          and (j.limit_key is null or concat(j.handler, E'\\x01', j.limit_key) <> all(p_excluded))
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
          and (j.limit_key is null or concat(j.handler, E'\\x01', j.limit_key) <> all(p_excluded))
          and (p_max_losses is null or redrive.losses(j.lease_lost, j.account) <= p_max_losses)
    for update of j skip locked) c;
end $$;
`,
  'claim-limits': `-- The functions with which a claim checks its candidates against the limits of keys, lanes and its own room.

-- The room of every limit key among the candidates. One that is used up, or that somebody else is about to use (then
-- busy is true), is left out of the next look.
create or replace function redrive.key_rooms(
  p_handlers text[], p_limits integer[], p_lanes integer[], p_keys text[],
  out lanes integer[], out keys text[], out rooms integer[], out used_up text[], out busy boolean)
language plpgsql volatile as $$
declare
  -- The most limit keys that one look checks: each costs a lock.
  max_keys constant integer := 128;
  k record;
  v_room integer;
begin
  busy := false;
  for k in
    select distinct c.lane, c.key from unnest(p_lanes, p_keys) as c(lane, key)
    where c.key is not null order by 1, 2
  loop
    v_room := null;
    if coalesce(cardinality(keys), 0) < max_keys then
      v_room := redrive.key_room(p_handlers[k.lane], k.key, p_limits[k.lane]);
    end if;
    if v_room > 0 then
      lanes := lanes || k.lane;
      keys := keys || k.key;
      rooms := rooms || v_room;
      continue;
    end if;
    used_up := used_up || concat(p_handlers[k.lane], E'\\x01', k.key);
    if v_room is null then
      busy := true;
    else
      perform redrive.hold_key(p_handlers[k.lane], k.key);
    end if;
  end loop;
end $$;

-- How many candidates can be taken, from the first on: up to the first one that its lane, its key or the room is too
-- full for.
create or replace function redrive.count_taken(
  p_lanes integer[], p_keys text[], p_safe boolean[], p_key_lanes integer[], p_key_names text[], p_key_rooms integer[],
  p_lane_room integer[], p_room integer, p_ahead integer,
  out taken integer, out normal integer, out lane_room integer[])
language plpgsql volatile as $$
begin
  with a as (
    select c.ord, c.lane, c.safe,
      row_number() over (partition by c.lane order by c.ord) <= p_lane_room[c.lane] as lane_ok,
      c.key is null or row_number() over (partition by c.lane, c.key order by c.ord) <= r.room as key_ok
    from unnest(p_lanes, p_keys, p_safe) with ordinality as c(lane, key, safe, ord)
    left join unnest(p_key_lanes, p_key_names, p_key_rooms) as r(lane, key, room)
      on r.lane = c.lane and r.key = c.key
  ), b as (
    select a.*, a.lane_ok and a.key_ok
      and count(*) filter (where a.lane_ok and a.key_ok) over (order by a.ord) <= p_room as is_normal from a
  ), d as (
    select b.*, b.key_ok and (b.is_normal
      or (b.safe and count(*) filter (where not b.is_normal) over (order by b.ord) <= p_ahead)) as ok from b
  ), t as (
    select coalesce(min(d.ord) filter (where not d.ok) - 1, count(*)) as taken from d
  )
  select t.taken, (select count(*) from d where d.is_normal and d.ord <= t.taken),
    (select array_agg(l.room - (select count(*) from d where d.is_normal and d.lane = l.lane and d.ord <= t.taken)
      order by l.lane) from unnest(p_lane_room) with ordinality as l(room, lane))
  into taken, normal, lane_room from t;
end $$;
`,
  'claim-rates': `-- The functions with which a claim keeps to rates. A rate has a name (control/rules/rate.ts), and counts starts under a value:
-- '' for all its jobs, or a handler, a tenant, or a tenant and a key. What was used is a row of the table rates, by name and
-- value: full_us says when the whole burst is free again, in microseconds, so that one number per value is enough.
--
-- One claim at a time counts the starts of a name: it shares a lock until its commit. Others take no job of that name
-- meanwhile, and come again at once. So a start is counted before any other claim looks, and a claim that is rolled back has
-- counted nothing.
--
-- A rate that all jobs of a handler and a queue share closes them. A job above the rate of its tenant or key becomes held, as
-- one whose limit key is used up, with the row's key in held_rate: no claim meets it again until one puts it back.
--
-- c_rates: JSON, [[name, handler, queue, by, microseconds from start to start, burst, perMs], …].

-- The rates of a claim, as rows.
create or replace function redrive.rates_of(c_rates text)
returns table (name text, handler text, queue text, by text, every_us bigint, burst bigint, per_ms bigint)
language sql immutable as $$
  select r ->> 0, r ->> 1, r ->> 2, r ->> 3, (r ->> 4)::bigint, (r ->> 5)::bigint, (r ->> 6)::bigint
  from json_array_elements(c_rates::json) r
$$;

-- The value that a job counts under. Null: the rate does not count it.
create or replace function redrive.rate_value(p_by text, p_handler text, p_tenant text, p_spec text) returns text
language sql immutable as $$
  select case p_by when 'all' then '' when 'handler' then p_handler when 'tenant' then p_tenant
    else p_tenant || E'\\x01' || (p_spec::json ->> 'rateKey') end
$$;

-- When the burst is free again, as far as it can be true: see believedUs in control/rules/rate.ts.
create or replace function redrive.rate_full(p_full bigint, p_every bigint, p_burst bigint, p_per_ms bigint, p_now_us bigint)
returns bigint language sql immutable as $$
  select case when p_full is null or p_full <= p_now_us then p_now_us
    when p_full <= p_now_us + p_burst * p_every then p_full
    else p_now_us + (p_burst - 1) * p_every + least(p_every, p_per_ms * 1000) end
$$;

-- When the next slice of starts is free, in milliseconds: see nextSliceMs.
create or replace function redrive.rate_next(p_full bigint, p_every bigint, p_burst bigint, p_per_ms bigint, p_now bigint)
returns bigint language sql immutable as $$
  select p_now + least(p_per_ms, greatest(0, (p_full - p_now * 1000 + 999
    - (p_burst - greatest(1, least((p_burst + 1) / 2, 50000 / p_every))) * p_every) / 1000))
$$;

-- Puts held jobs of a value back, and says when to look again.
create or replace function redrive.put_back(p_key text, p_count bigint, p_look_at bigint) returns void
language plpgsql volatile as $$
begin
  update redrive.jobs set state = 'ready', held_rate = null where seq = any(array(
    select j.seq from redrive.jobs j where j.state = 'held' and j.held_rate = p_key
    order by j.priority desc, j.submitted_at, j.id limit least(p_count, 256) for update skip locked));
  update redrive.rates r set look_at = p_look_at,
    holds = exists (select from redrive.jobs j where j.state = 'held' and j.held_rate = p_key)
  where r.key = p_key;
end $$;

-- Forgets rates whose burst is free again. Held jobs of a rate that no claim names any more go on without it.
create or replace function redrive.tidy_rates(p_now bigint) returns void language plpgsql volatile as $$
declare
  r record;
begin
  for r in
    select e.key, e.holds from redrive.rates e where e.look_at < p_now - 10000
    order by e.look_at limit 256 for update skip locked
  loop
    if r.holds then
      perform redrive.put_back(r.key, 256, p_now - 10000);
    else
      delete from redrive.rates e where e.key = r.key;
    end if;
  end loop;
end $$;

-- Locks the rates of a claim, and puts the jobs back that may start by now. mine: the rates that this claim counts. busy: those
-- that another claim counts just now.
create or replace function redrive.begin_rates(c_rates text, p_now bigint, out mine text, out busy text)
language plpgsql volatile as $$
declare
  r record;
  k record;
begin
  select json_agg(t.r) filter (where t.mine)::text, json_agg(t.r) filter (where not t.mine)::text
  into mine, busy from (
    -- In one order, and none waits for the other: no two claims share the rates of one handler for long.
    select e.r, pg_try_advisory_xact_lock(hashtextextended('redrive rate' || (e.r ->> 0), 7)) as mine
    from json_array_elements(c_rates::json) as e(r)) t;
  for r in select * from redrive.rates_of(mine) e where e.by in ('tenant', 'key') loop
    for k in
      (select e.key, e.full_us from redrive.rates e where e.holds and e.name = r.name and e.look_at <= p_now
        order by e.look_at limit 256)
      union all
      -- Written before the clock was set back.
      (select e.key, e.full_us from redrive.rates e where e.holds and e.name = r.name and e.look_at > p_now + r.per_ms
        order by e.look_at limit 256)
    loop
      perform redrive.put_back(k.key,
        greatest(0, (p_now * 1000 + r.burst * r.every_us
          - redrive.rate_full(k.full_us, r.every_us, r.burst, r.per_ms, p_now * 1000)) / r.every_us),
        p_now + least(50, r.per_ms));
    end loop;
  end loop;
end $$;

-- Which candidates may start? kept: their places. Of the pairs closed_handlers and closed_queues no job may start in this claim.
-- held: how many were taken out of the way. next_at: when the first of the others may start.
--
-- One row per candidate and rate, and no join of such rows: a claim has no hash joins, and there may be thousands.
create or replace function redrive.keep_rates(
  p_mine text, p_busy text, p_tids tid[], p_now bigint,
  out kept integer[], out closed_handlers text[], out closed_queues text[], out held integer, out next_at bigint)
language plpgsql volatile as $$
declare
  v_held integer[];
  v_keys text[];
begin
  with of_claim as materialized (
    select r.*, false as busy from redrive.rates_of(p_mine) r union all select r.*, true from redrive.rates_of(p_busy) r
  ), counted as (
    select t.ord::integer as ord, j.handler, j.queue, r.name, r.by, r.handler as of, r.every_us, r.burst, r.per_ms, r.busy,
      r.by in ('all', 'handler') as of_lane,
      r.name || E'\\x01' || redrive.rate_value(r.by, j.handler, j.tenant, j.spec) as key
    from unnest(p_tids) with ordinality as t(tid, ord) join redrive.jobs j on j.ctid = t.tid
    left join of_claim r on (r.handler is null or r.handler = j.handler) and (r.queue is null or r.queue = j.queue)
  ), stored as materialized (
    -- Apart, so that the next function becomes part of the statement: its argument is a column.
    select c.*, (select r.full_us from redrive.rates r where r.key = c.key) as stored_us from counted c
  ), used as (
    select s.*, redrive.rate_full(s.stored_us, s.every_us, s.burst, s.per_ms, p_now * 1000) as full_us from stored s
  ), own as (
    select u.*, greatest(0, (p_now * 1000 + u.burst * u.every_us - u.full_us) / u.every_us) as room,
      row_number() over (partition by u.key order by u.ord) as place
    from used u
  ), graded as (
    select o.*, bool_or(not o.of_lane and not o.busy and o.place > o.room) over (partition by o.ord) as above_own from own o
  ), placed as (
    -- A rate that closes lanes counts those that the others let start.
    select g.*, row_number() over (partition by g.key, coalesce(g.above_own, false) order by g.ord) as lane_place from graded g
  ), judged as (
    select p.*, not p.busy and p.key is not null and p.place > p.room and not p.of_lane as above,
      p.busy or (p.of_lane and not coalesce(p.above_own, false) and p.lane_place > p.room) as closes
    from placed p
  ), by_job as (
    select j.ord, min(j.handler) as handler, min(j.queue) as queue, coalesce(bool_or(j.closes), false) as closed,
      min(j.key) filter (where j.above) as key
    from judged j group by j.ord
  ), noted as (
    insert into redrive.rates as r (key, name, handler, full_us, since, look_at, holds)
    select distinct on (f.key) f.key, f.name, f.of, f.full_us, p_now,
      redrive.rate_next(f.full_us, f.every_us, f.burst, f.per_ms, p_now), not f.of_lane
    from judged f where (f.above or f.closes) and not f.busy order by f.key
    on conflict (key) do update set full_us = excluded.full_us, look_at = excluded.look_at, holds = excluded.holds,
      since = case when r.holds or r.full_us > p_now * 1000 - 10000000 then coalesce(r.since, p_now) else p_now end
    returning r.look_at
  ), lanes as (
    select distinct b.handler, b.queue from by_job b where b.closed
  )
  select
    (select array_agg(b.ord order by b.ord) from by_job b where not b.closed and b.key is null),
    (select array_agg(l.handler order by l.handler, l.queue) from lanes l),
    (select array_agg(l.queue order by l.handler, l.queue) from lanes l),
    (select array_agg(b.ord order by b.ord) from by_job b where not b.closed and b.key is not null),
    (select array_agg(b.key order by b.ord) from by_job b where not b.closed and b.key is not null),
    (select min(n.look_at) from noted n)
  into kept, closed_handlers, closed_queues, v_held, v_keys, next_at;
  held := coalesce(cardinality(v_held), 0);
  if held > 0 then
    update redrive.jobs j set state = 'held', held_rate = h.key
    from unnest(v_held, v_keys) as h(ord, key) where j.ctid = p_tids[h.ord];
  end if;
end $$;

-- These jobs start. Nobody else changes the rows: see begin_rates. In plpgsql, which keeps its plan.
create or replace function redrive.spend_rates(p_mine text, p_tids tid[], p_now bigint) returns void
language plpgsql volatile as $$
begin
  insert into redrive.rates as r (key, name, handler, full_us, since, look_at, holds)
  select s.key, s.name, s.of, f.full_us,
    case when u.holds or f.full_us > p_now * 1000 + (s.burst - 1) * s.every_us then u.since end,
    case when u.holds then redrive.rate_next(f.full_us, s.every_us, s.burst, s.per_ms, p_now) else f.full_us / 1000 end,
    coalesce(u.holds, false)
  from (
    select r.name || E'\\x01' || redrive.rate_value(r.by, j.handler, j.tenant, j.spec) as key,
      r.name, r.handler as of, r.every_us, r.burst, r.per_ms, count(*) as starts
    from unnest(p_tids) as t(tid) join redrive.jobs j on j.ctid = t.tid
    join redrive.rates_of(p_mine) r
      on (r.handler is null or r.handler = j.handler) and (r.queue is null or r.queue = j.queue)
    group by 1, 2, 3, 4, 5, 6) s
  left join redrive.rates u on u.key = s.key
  cross join lateral (
    select redrive.rate_full(u.full_us, s.every_us, s.burst, s.per_ms, p_now * 1000) + s.starts * s.every_us as full_us) f
  where s.key is not null order by s.key
  on conflict (key) do update set full_us = excluded.full_us, since = excluded.since, look_at = excluded.look_at;
end $$;

-- The lanes of a claim, without those in which nothing may start.
create or replace function redrive.lanes_without(
  p_lanes integer[], p_handlers text[], p_queues text[], p_closed_handlers text[], p_closed_queues text[])
returns table (lane integer, handler text, queue text) language sql immutable as $$
  select l.lane, l.handler, l.queue from unnest(p_lanes, p_handlers, p_queues) as l(lane, handler, queue)
  where not exists (select from unnest(p_closed_handlers, p_closed_queues) as c(handler, queue)
    where c.handler = l.handler and c.queue = l.queue)
$$;
`,
  'claim-suspects': `-- Names the candidates that have lost too many leases. If there are any, the next looks leave all of them out, so that
-- any number of them hides no other job. A claim whose candidates are all safe does not call it.
create or replace function redrive.suspects(p_tids tid[], p_max_losses integer) returns json
language plpgsql volatile as $$
begin
  return (
    select json_agg(json_build_object('id', c.id, 'losses', c.losses) order by c.ord)
    from (
      select j.id, redrive.losses(j.lease_lost, j.account) as losses, t.ord
      from unnest(p_tids) with ordinality as t(tid, ord) join redrive.jobs j on j.ctid = t.tid
      where redrive.losses(j.lease_lost, j.account) > p_max_losses order by t.ord limit 64 /* MAX_SUSPECTS */) c);
end $$;

-- Leases that a job has lost in a row: lossesOf of durable. In the text of its account, the ninth number counts those that
-- were not charged, the eleventh is clearedLosses. A text that has a ninth number is at least 17 characters long. It may be
-- damaged: that must not end a claim. The planner puts this function into the statements that call it.
create or replace function redrive.losses(lease_lost integer, account text) returns integer
language sql immutable as $$
  select lease_lost + case when coalesce(octet_length(account), 0) < 17 then 0
    else coalesce(substring(split_part(account, ',', 9) from '^[0-9]{1,9}$')::integer, 0)
      - coalesce(substring(split_part(account, ',', 11) from '^[0-9]{1,9}$')::integer, 0) end
$$;
`,
  claim: `-- Takes ready jobs in the order of the queue. Priority after priority, it looks which tenants have ready jobs, beginning with
-- the tenant whose turn it is. It locks enough jobs of each tenant to fill the room, and leases as many of them, in turn, as
-- can be taken. If one cannot be taken (its lane is full, its key is used up), it looks again from the same tenant on,
-- without the jobs that cannot be taken. Most claims take all their jobs at the first look.
--
-- Its questions are functions of their own: first_range (where the ready jobs of the only handler begin), open_lanes (which
-- lanes), tenants_in_turn (whose turn), candidates_in_turn and candidates_by_id (which candidates), key_rooms, suspects and
-- count_taken (how many of them). The call of a function costs about 15 µs, so what every claim does is part of the claim.
--
-- It ends its step: p_records are the records of the step's settlements and new jobs.
create or replace function redrive.claim(
  p_now bigint, p_seq bigint, p_writer text, p_records text,
  c_worker text, c_lease bigint, c_limit integer, c_ahead integer, c_queues text[], c_after text, c_max_losses integer,
  c_only text[], c_alone boolean, c_rates text,
  l_handler text[], l_limit integer[], l_policy_hash text[], l_max_attempts integer[], l_per_key integer[], l_detail text[]
) returns setof redrive.answer language plpgsql volatile as $$
declare
  -- How often one claim looks for candidates, however lanes and keys fill up meanwhile.
  max_looks constant integer := 24;
  -- A claim that has no room left and has met as many jobs that may not be claimed ahead looks for no others behind them:
  -- there may be as many as the queue holds.
  max_passed constant integer := 200;
  -- The most jobs above a rate that one claim takes out of the way: a bound on its time.
  max_held constant integer := 2000;
  v_records text := p_records;
  v_now bigint;
  v_first_now bigint;
  v_next bigint;
  v_promoted integer;
  v_more boolean := false;
  v_room integer := c_limit;
  v_ahead integer := c_ahead;
  v_lane_room integer[] := l_limit;
  v_paused_queues text[];
  v_paused_handlers text[];
  v_killed_tenants text[];
  v_stopped boolean;
  -- Killed tenants, and tenants without a job that can be taken at this priority: they get no further turn.
  v_passed text[];
  -- Handlers and queues to claim from, and the numbers of their lanes.
  v_lanes integer[];
  v_handlers text[];
  v_queues text[];
  -- Where the ready jobs of the only handler begin; whether all of the first priority are there, and may be claimed.
  v_first record;
  v_pages bigint := 0;
  v_known boolean := false;
  v_open boolean;
  -- The cursor, where the first look begins with it.
  v_cursor text[];
  v_excluded text[] := '{}';
  v_priority integer;
  v_looks integer := 0;
  v_from text;
  v_inclusive boolean;
  v_need integer;
  v_tenants text[];
  v_quota integer;
  v_rounds integer;
  -- Candidates, in order.
  v_tids tid[];
  v_lane_of integer[];
  v_key_of text[];
  v_safe_of boolean[];
  v_tenant_of text[];
  v_all_safe boolean;
  v_any_key boolean;
  v_any_suspect boolean;
  v_max_losses integer;
  -- Room of the limit keys among them.
  v_key_lanes integer[];
  v_keys text[];
  v_key_rooms integer[];
  v_used_up text[];
  -- Jobs that were passed over because of their losses, and whether no more of them are looked at.
  v_suspects json;
  v_pass_suspects boolean := false;
  v_taken integer;
  v_updated integer;
  v_normal integer;
  -- Where the first look for jobs begins.
  v_from_at bigint;
  v_last_at bigint;
  v_answer redrive.answer;
  -- Its rates, those that another claim counts just now, and what they let start.
  v_rates text;
  v_busy_rates text;
  v_kept integer[];
  v_closed_handlers text[];
  v_closed_queues text[];
  v_held integer;
  v_start_at bigint;
  v_rate_next bigint;
  -- More candidates than there is room for, because many were above a rate.
  v_widen integer := 0;
  v_all_held integer := 0;
begin
  v_now := coalesce(p_now, redrive.clock_ms());
  select j.due_at into v_next from redrive.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
  if v_next <= v_now then
    -- Some more than it takes, so that a backlog of them does not slow it down.
    v_promoted := least(greatest(16, 2 * (c_limit + c_ahead)), 1000);
    v_more := redrive.promote(v_now, v_promoted) = v_promoted;
    select j.due_at into v_next from redrive.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
  end if;

  -- No claim that has not seen a kill switch is committed after it. So a claim shares a lock with all others until its commit,
  -- and reads the switches in a statement of its own afterwards, which sees all that was committed before it had the lock.
  -- An act that engages a switch waits until it has the lock alone. Meanwhile claims take nothing: they do not wait, because
  -- settlements of the same step and of the next ones would wait with them.
  v_stopped := not pg_try_advisory_xact_lock_shared(hashtextextended('redrive kill', 13));
  v_more := v_more or v_stopped;
  select p.queues, p.handlers, p.tenants, v_stopped or p.everything
  into v_paused_queues, v_paused_handlers, v_killed_tenants, v_stopped from redrive.stops p;

  if exists (select from redrive.rates r where r.look_at < v_now - 10000) then
    perform redrive.tidy_rates(v_now);
  end if;
  if c_rates is not null and not v_stopped then
    select b.mine, b.busy into v_rates, v_busy_rates from redrive.begin_rates(c_rates, v_now) b;
  end if;

  if cardinality(l_handler) = 1 and not v_stopped and c_only is null then
    v_first := redrive.first_range(l_handler[1], v_room + v_ahead, v_killed_tenants);
    v_cursor := v_first.cursor;
    v_pages := v_first.pages;
    -- Of a tenant that is stopped: there may be others at lower priorities.
    v_known := v_first.only_range and coalesce(v_first.tenant <> all(v_killed_tenants), true);
    v_open := v_first.queue is not null and l_handler[1] <> all(v_paused_handlers)
      and v_first.queue <> all(v_paused_queues) and (c_queues is null or v_first.queue = any(c_queues));
    v_from_at := case when v_known then v_first.submitted_at end;
  end if;

  <<passes>>
  for v_pass in 1..2 loop
    exit passes when v_stopped;
    if c_only is not null then
      -- Two lanes, because the statements for one lane do not serve a list of ids.
      v_lanes := array[0, 0];
    elsif v_known then
      v_lanes := case when v_open then array[1] end;
      v_handlers := l_handler;
      v_queues := array[v_first.queue];
    else
      select l.lanes, l.handlers, l.queues into v_lanes, v_handlers, v_queues
      from redrive.open_lanes(l_handler, c_queues, v_paused_handlers, v_paused_queues) l;
    end if;

    v_priority := null;
    <<levels>>
    while v_lanes is not null loop
      if c_only is not null then
        -- All priorities at once.
        v_priority := case when v_priority is null then 0 end;
      elsif v_known then
        v_priority := v_first.priority;
      else
        select max(h.priority) into v_priority
        from unnest(v_handlers, v_queues) as p(handler, queue) cross join lateral (
          select j.priority from redrive.jobs j
          where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue
            and j.priority < coalesce(v_priority, 2147483647)
          order by j.priority desc limit 1) h;
      end if;
      exit levels when v_priority is null;
      v_from := c_after;
      v_inclusive := false;
      v_passed := v_killed_tenants;

      <<looks>>
      loop
        exit passes when v_ahead = 0 and (v_room = 0 and v_more or v_room > 0 and 0 = all(v_lane_room));
        v_looks := v_looks + 1;
        if v_looks > max_looks then
          v_more := true;
          exit passes;
        end if;
        if v_looks > 1 then
          v_from_at := null;
          v_cursor := null;
        end if;
        v_any_suspect := true;
        -- One more than there is room for: whether there are more is part of the answer.
        v_need := v_room + v_ahead + 1 + v_widen;
        if c_only is not null then
          v_tenants := array[''];
        elsif v_known then
          v_tenants := array[v_first.tenant];
          v_known := false;
        else
          v_tenants := redrive.tenants_in_turn(v_handlers, v_queues, v_priority, v_from, v_inclusive, v_need, v_passed);
        end if;
        if v_tenants is null then
          -- All that is here is stopped by a kill switch, or was looked at. That was no look: there may be many such priorities.
          v_looks := v_looks - 1;
          exit looks;
        end if;
        v_quota := (v_need + cardinality(v_tenants) - 1) / cardinality(v_tenants);

        if c_only is not null then
          v_quota := cardinality(c_only) + 1;
          select c.tids, c.lanes, c.keys, c.safe, c.tenants, c.all_safe, c.any_key, c.rounds, c.last_at
          into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key, v_rounds, v_last_at
          from redrive.candidates_by_id(
            v_now, p_seq, v_excluded, case when v_pass_suspects then c_max_losses end, v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease,
            c_only, l_handler, c_queues, v_paused_handlers, v_paused_queues, v_killed_tenants, v_lane_room, c_limit = 0) c;
          exit passes when v_tids is null;
        -- One index range. After the first look, a lane without room needs the other way: it looks for safe jobs only.
        elsif cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1
          and (v_looks = 1 or least(v_room, v_lane_room[v_lanes[1]]) > 0) then
          -- Most claims need no other look, so it is part of the claim and no function of its own.
          v_max_losses := case when v_pass_suspects then c_max_losses end;
          select array_agg(c.tid), array_agg(c.limit_key), array_agg(c.safe), bool_and(c.safe),
            bool_or(c.limit_key is not null), bool_or(c.losses > c_max_losses), count(*), max(c.submitted_at)
          into v_tids, v_key_of, v_safe_of, v_all_safe, v_any_key, v_any_suspect, v_rounds, v_last_at
          from (
            select j.ctid as tid, j.submitted_at, j.limit_key, redrive.losses(j.lease_lost, j.account) as losses,
              redrive.losses(j.lease_lost, j.account) = 0
                and (j.deadline is null or j.deadline > v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease) as safe
            from redrive.jobs j
            where j.state = 'ready' and j.handler = v_handlers[1] and j.queue = v_queues[1]
              and j.priority = v_priority and j.tenant = v_tenants[1]
              and j.submitted_at >= coalesce(v_from_at, -9223372036854775808)
              and (j.deadline is null or j.deadline > v_now) and j.audit_block <= coalesce(p_seq, 9223372036854775807)
              and (j.limit_key is null or concat(j.handler, E'\\x01', j.limit_key) <> all(v_excluded))
              and (v_max_losses is null or redrive.losses(j.lease_lost, j.account) <= v_max_losses)
            order by j.submitted_at, j.id limit v_quota for update of j skip locked) c;
          v_lane_of := array_fill(v_lanes[1], array[v_rounds]);
          v_tenant_of := array_fill(v_tenants[1], array[v_rounds]);
        else
          select c.tids, c.lanes, c.keys, c.safe, c.tenants, c.all_safe, c.any_key, c.rounds, c.last_at
          into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key, v_rounds, v_last_at
          from redrive.candidates_in_turn(
            v_now, p_seq, v_excluded, case when v_pass_suspects then c_max_losses end, v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease,
            v_lanes, v_handlers, v_queues, v_priority, v_tenants, v_quota, v_lane_room, v_room, v_ahead + v_widen, v_more) c;
        end if;

        if v_tids is null and v_cursor is not null then
          -- Nothing behind that place. There may be more before it: as soon as its time is over, a claim is worth it.
          v_next := least(v_next, v_now + greatest(1, v_cursor[7]::bigint - redrive.clock_ms()));
          exit looks;
        end if;
        if v_tids is null then
          -- All of them are taken by somebody else, or late. There may be others behind them.
          exit looks when cardinality(v_tenants) < v_need;
          v_passed := v_passed || v_tenants;
          v_from := v_tenants[cardinality(v_tenants)];
          v_inclusive := false;
          continue looks;
        end if;

        if c_rates is not null then
          select k.kept, k.closed_handlers, k.closed_queues, k.held, k.next_at
          into v_kept, v_closed_handlers, v_closed_queues, v_held, v_start_at
          from redrive.keep_rates(v_rates, v_busy_rates, v_tids, v_now) k;
          v_rate_next := least(v_rate_next, v_start_at);
          v_more := v_more or (v_busy_rates is not null and v_closed_handlers is not null);
          v_all_held := v_all_held + v_held;
          v_more := v_more or v_all_held >= max_held;
          v_widen := case when v_held > 0 then least(greatest(0, max_held - v_all_held), 10 * (v_held + v_widen)) else v_widen end;
          if coalesce(cardinality(v_kept), 0) < cardinality(v_tids) then
            select array_agg(v_tids[k.place] order by k.ord), array_agg(v_lane_of[k.place] order by k.ord),
              array_agg(v_key_of[k.place] order by k.ord), array_agg(v_safe_of[k.place] order by k.ord),
              array_agg(v_tenant_of[k.place] order by k.ord), bool_and(v_safe_of[k.place]), bool_or(v_key_of[k.place] is not null)
            into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key
            from unnest(v_kept) with ordinality as k(place, ord);
          end if;
          if v_tids is null then
            exit passes when c_only is not null or v_all_held >= max_held;
            select array_agg(l.lane), array_agg(l.handler), array_agg(l.queue) into v_lanes, v_handlers, v_queues
            from redrive.lanes_without(v_lanes, v_handlers, v_queues, v_closed_handlers, v_closed_queues) l;
            exit levels when v_lanes is null;
            continue looks;
          end if;
        end if;

        v_key_lanes := null;
        v_keys := null;
        v_key_rooms := null;
        if v_any_key then
          select r.lanes, r.keys, r.rooms, r.used_up, v_more or r.busy
          into v_key_lanes, v_keys, v_key_rooms, v_used_up, v_more
          from redrive.key_rooms(l_handler, l_per_key, v_lane_of, v_key_of) r;
          v_excluded := v_excluded || v_used_up;
          continue looks when v_used_up is not null;
        end if;
        if not v_all_safe and v_any_suspect and not v_pass_suspects then
          v_suspects := redrive.suspects(v_tids, c_max_losses);
          v_pass_suspects := v_suspects is not null;
          continue looks when v_pass_suspects;
        end if;

        if not v_any_key and cardinality(v_lanes) = 1 then
          v_normal := least(cardinality(v_tids), v_room, v_lane_room[v_lanes[1]]);
          v_taken := least(cardinality(v_tids), v_normal + v_ahead);
          if not v_all_safe and v_taken > v_normal then
            -- Only safe ones are taken ahead.
            v_taken := least(v_taken, array_position(v_safe_of, false, v_normal + 1) - 1);
          end if;
          v_lane_room[v_lanes[1]] := v_lane_room[v_lanes[1]] - v_normal;
        else
          select t.taken, t.normal, t.lane_room into v_taken, v_normal, v_lane_room from redrive.count_taken(
            v_lane_of, v_key_of, v_safe_of, v_key_lanes, v_keys, v_key_rooms, v_lane_room, v_room, v_ahead) t;
        end if;

        if v_taken > 0 then
          -- Now that they are locked: a lease that counts from before may be born expired.
          v_now := coalesce(p_now, redrive.clock_ms());
          v_first_now := coalesce(v_first_now, v_now);
          if v_rates is not null then
            perform redrive.spend_rates(v_rates, v_tids[1:v_taken], v_now);
          end if;
          -- The records are made from the rows before the update.
          -- made: claim records
          v_records := concat_ws(E',\\n', nullif(v_records, ''), nullif(case when p_seq is not null then (
            select string_agg('[' || r.fields || ']', E',\\n') from (
            select concat_ws(',', array_to_json(array_agg(j.id)), redrive.alike(array_agg((j.revision + 1)::bigint)), '"claim","ready","leased"', v_now, redrive.alike(array_agg((j.token + 1)::bigint)), redrive.alike(array_agg((j.generation)::bigint)), redrive.alike(array_agg((j.executions + 1)::bigint)), redrive.alike(array_agg((j.audit_block)::bigint)), l_detail[a.lane]) as fields
            from unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane) join redrive.jobs j on j.ctid = a.tid group by l_detail[a.lane] having count(*) > 0) r) end, ''));
          -- end
          return query
            update redrive.jobs j set
              -- made: claim set
              state = 'leased', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
                generation_at = case when j.claims = 0 or j.claims::text = split_part(j.account, ',', 4) then v_now else j.generation_at end,
                claims = j.claims + 1, executions = j.executions + 1, worker = c_worker, lease_since = v_now,
                lease_until = v_now + c_lease, policy_hash = l_policy_hash[a.lane], alone = c_alone,
                previous_block = j.audit_block
              -- end
            from unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane)
            where j.ctid = a.tid
            returning
              -- made: claimed columns
              null, null, j.id, coalesce(j.payload, (select p.payload from redrive.payloads p where p.seq = j.seq)),
                j.submitted_at, j.ctid, nullif(j.handler, l_handler[1]), nullif(j.queue, 'default'),
                nullif(j.tenant, ''), nullif(j.priority, 0), nullif(j.revision, 2), nullif(j.token, 1),
                nullif(j.generation, 1), nullif(j.claims, 1), nullif(j.executions, j.claims), nullif(j.failed, 0),
                nullif(j.lease_lost, 0), nullif(j.retry_count, 0), nullif(j.generation_at, j.lease_since),
                nullif(j.lease_since, v_first_now), j.deadline, j.attempts, j.reason, j.error_class, j.account,
                j.unique_key, j.limit_key, j.session_id, j.headers, j.spec, array_to_json(j.tags)::text,
                case when j.payload is null then coalesce(j.payload_bytes, (select p.payload_bytes from redrive.payloads p where p.seq = j.seq)) end
              -- end
            ;
          get diagnostics v_updated = row_count;
          if v_updated <> v_taken then
            raise exception 'Locked % jobs and found % of them', v_taken, v_updated using errcode = '40001';
          end if;
          v_room := v_room - v_normal;
          v_ahead := v_ahead - (v_taken - v_normal);
        end if;

        if v_looks = 1 and v_taken > 0 and cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1 then
          if v_cursor is not null or v_pages >= 50 /* cursorPages */ then
            perform redrive.keep_cursor(
              l_handler[1], v_queues[1], v_priority, v_tenants[1], v_last_at, v_cursor, v_first.took_ms);
          end if;
        end if;

        if v_closed_handlers is not null and c_only is null then
          select array_agg(l.lane), array_agg(l.handler), array_agg(l.queue) into v_lanes, v_handlers, v_queues
          from redrive.lanes_without(v_lanes, v_handlers, v_queues, v_closed_handlers, v_closed_queues) l;
          exit levels when v_lanes is null;
        end if;

        if v_taken < cardinality(v_tids) then
          -- One could not be taken. Its tenant's turn goes to the tenant's next one.
          if v_room = 0 then v_more := true; end if;
          exit passes when v_room = 0 and (v_ahead = 0
            or cardinality(array_positions(v_safe_of[v_taken + 1:], false)) >= max_passed);
          v_from := v_tenant_of[v_taken + 1];
          v_inclusive := true;
        elsif v_rounds < v_quota then
          if v_cursor is not null then
            -- There may be more before it: as soon as its time is over, a claim is worth it.
            v_next := least(v_next, v_now + greatest(1, v_cursor[7]::bigint - redrive.clock_ms()));
          end if;
          exit looks;
        end if;
      end loop;
    end loop;
    -- No ready job is left. Held jobs may be claimable: their limit was raised, or the job released before them was cancelled.
    exit passes when v_room = 0 or c_only is not null
      or not exists (select from redrive.jobs j where j.state = 'held' and j.limit_key is not null and j.handler = any(l_handler))
      or redrive.release_free_keys(l_handler, l_per_key) = 0;
    v_known := false;
  end loop;
  if c_rates is not null then
    v_next := least(v_next, v_rate_next, (
      select min(h.look_at) from redrive.rates_of(v_rates) n cross join lateral (
        select r.look_at from redrive.rates r where r.holds and r.name = n.name order by r.look_at limit 1) h));
  end if;
  if v_suspects is not null then
    v_answer.kind := 'suspects';
    v_answer.meta := v_suspects::text;
    return next v_answer;
  end if;
  v_answer.kind := 'claim';
  v_answer.meta := concat(v_more, ',', v_now, ',', v_next, ',', v_first_now);
  return next v_answer;
  return query select * from redrive.end_step(p_now, p_seq, p_writer, v_records);
end $$;
`,
} as const;
