-- The functions with which a claim checks its candidates against the limits of keys, lanes and its own room.

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
    used_up := used_up || concat(p_handlers[k.lane], E'\x01', k.key);
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
