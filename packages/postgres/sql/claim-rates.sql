-- The functions with which a claim keeps to rates. A rate has a name (control/rules/rate.ts), and counts starts under a value:
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
    else p_tenant || E'\x01' || (p_spec::json ->> 'rateKey') end
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
      r.name || E'\x01' || redrive.rate_value(r.by, j.handler, j.tenant, j.spec) as key
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
    select r.name || E'\x01' || redrive.rate_value(r.by, j.handler, j.tenant, j.spec) as key,
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
