/** Limit keys that one look takes into account: each costs a lock. */
const MAX_KEYS = 128;

/**
 * The room of every limit key among the candidates. One that is used up, or that somebody else is about to use, is left
 * out of the next look.
 */
export function keyRoomsSql(s: string): string {
  return `
  for k in
    select distinct c.lane, c.key from unnest(v_lane_of, v_key_of) as c(lane, key)
    where c.key is not null order by 1, 2
  loop
    v_key_room := null;
    if coalesce(cardinality(v_keys), 0) < ${MAX_KEYS} then
      v_key_room := ${s}.key_room(l_handler[k.lane], k.key, l_per_key[k.lane]);
    end if;
    if v_key_room > 0 then
      v_key_lanes := v_key_lanes || k.lane;
      v_keys := v_keys || k.key;
      v_key_rooms := v_key_rooms || v_key_room;
      continue;
    end if;
    v_used_up := true;
    v_excluded := v_excluded || concat(l_handler[k.lane], E'\\x01', k.key);
    if v_key_room is null then
      v_more := true;
    else
      perform ${s}.hold_key(l_handler[k.lane], k.key);
    end if;
  end loop;`;
}

/** How many candidates can be taken, from the first on: up to the first one that its lane, its key or the room is too full for. */
export const COUNT_TAKEN = `
  with a as (
    select c.ord, c.lane, c.safe,
      row_number() over (partition by c.lane order by c.ord) <= v_lane_room[c.lane] as lane_ok,
      c.key is null or row_number() over (partition by c.lane, c.key order by c.ord) <= r.room as key_ok
    from unnest(v_lane_of, v_key_of, v_safe_of) with ordinality as c(lane, key, safe, ord)
    left join unnest(v_key_lanes, v_keys, v_key_rooms) as r(lane, key, room)
      on r.lane = c.lane and r.key = c.key
  ), b as (
    select a.*, a.lane_ok and a.key_ok
      and count(*) filter (where a.lane_ok and a.key_ok) over (order by a.ord) <= v_room as normal from a
  ), d as (
    select b.*, b.key_ok and (b.normal
      or (b.safe and count(*) filter (where not b.normal) over (order by b.ord) <= v_ahead)) as ok from b
  ), t as (
    select coalesce(min(d.ord) filter (where not d.ok) - 1, count(*)) as taken from d
  )
  select t.taken, (select count(*) from d where d.normal and d.ord <= t.taken),
    (select array_agg(l.room - (select count(*) from d where d.normal and d.lane = l.lane and d.ord <= t.taken)
      order by l.lane) from unnest(v_lane_room) with ordinality as l(room, lane))
  into v_taken, v_normal, v_lane_room from t;`;
