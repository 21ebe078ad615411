-- Made by src/schema, where the comments are; a test compares it.
-- Releases as many held jobs as there is room for: the first of the highest priority, of at most sixteen tenants in
-- turn, beginning after p_after. The next claim takes them in turn too, and holds the others again.
create or replace function redrive.release_heads(p_handler text, p_key text, p_after text, p_room integer) returns integer
language plpgsql volatile as $$
declare
  v_below bigint := 2147483648;
  v_left integer := p_room;
  v_priority integer;
  v_tenant text collate "C";
  v_tenants text[];
  v_count integer;
  v_total integer := 0;
  -- A released job of a killed tenant is not claimed, and the others of its key would wait behind it.
  v_killed text[] := (select p.tenants from redrive.stops p);
begin
  for v_round in 1..64 loop
    exit when v_left <= 0;
    select j.priority into v_priority from redrive.jobs j
    where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority < v_below
    order by j.priority desc limit 1;
    exit when not found;

    v_tenants := '{}';
    v_tenant := p_after;
    while cardinality(v_tenants) < 16 loop
      select j.tenant into v_tenant from redrive.jobs j
      where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
        and j.tenant > v_tenant
      order by j.tenant limit 1;
      exit when not found;
      continue when v_tenant = any(v_killed);
      v_tenants := v_tenants || v_tenant;
    end loop;
    -- From the start, up to where it began.
    select j.tenant into v_tenant from redrive.jobs j
    where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
    order by j.tenant limit 1;
    while found and cardinality(v_tenants) < 16 and (p_after is null or v_tenant <= p_after) loop
      if v_tenant <> all(v_killed) then v_tenants := v_tenants || v_tenant; end if;
      select j.tenant into v_tenant from redrive.jobs j
      where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
        and j.tenant > v_tenant
      order by j.tenant limit 1;
    end loop;

    update redrive.jobs set state = 'ready' where seq = any(array(
      select h.seq from unnest(v_tenants) as t(tenant) cross join lateral (
        select j.seq from redrive.jobs j where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key
          and j.priority = v_priority and j.tenant = t.tenant
        order by j.submitted_at, j.id limit (v_left + cardinality(v_tenants) - 1) / cardinality(v_tenants)
        for update skip locked) h));
    get diagnostics v_count = row_count;
    v_total := v_total + v_count;
    v_left := v_left - v_count;
    -- Others are at all that is left of this priority.
    if v_count = 0 then v_below := v_priority; end if;
  end loop;
  return v_total;
end $$;

-- Releases held jobs for each entry: a lease of its key has ended, or a released job of its key is gone.
create or replace function redrive.release_held(p_handlers text[], p_keys text[], p_tenants text[])
returns integer language plpgsql volatile as $$
declare
  k record;
  v_total integer := 0;
begin
  for k in
    select e.handler, e.key, count(*)::integer as ended, max(e.tenant) as tenant
    from unnest(p_handlers, p_keys, p_tenants) as e(handler, key, tenant)
    group by 1, 2 order by 1, 2
  loop
    v_total := v_total + redrive.release_heads(k.handler, k.key, k.tenant, k.ended);
  end loop;
  return v_total;
end $$;

-- Takes the ready jobs of a used-up key out of the way, at most a thousand at a time.
create or replace function redrive.hold_key(p_handler text, p_key text) returns void
language plpgsql volatile as $$
begin
  perform from redrive.jobs j where j.state = 'leased' and j.lease_until is not null and j.handler = p_handler and j.limit_key = p_key
    limit 1 for share skip locked;
  if found then
    update redrive.jobs set state = 'held' where seq = any(array(
      select j.seq from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.limit_key = p_key
      limit 1000 for update skip locked));
  end if;
end $$;

-- How many jobs of a key may still be leased; null when somebody else is about to lease some.
create or replace function redrive.key_room(p_handler text, p_key text, p_limit integer) returns integer
language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('redrive:' || p_handler || E'\x01' || p_key, 7)) then
    return null;
  end if;
  -- A statement of its own, so that it sees all commits before the lock was taken.
  return p_limit - (select count(*) from (
    select from redrive.jobs j where j.state = 'leased' and j.lease_until is not null and j.handler = p_handler
        and j.limit_key = p_key limit p_limit) l);
end $$;

-- Releases held jobs whose keys have room by now, and returns their number. If there are many keys, it looks at some of
-- them, and at the next ones the next time in this session.
create or replace function redrive.release_free_keys(p_handlers text[], p_limits integer[]) returns integer
language plpgsql volatile as $$
declare
  k record;
  v_room integer;
  v_looks integer := 0;
  v_total integer := 0;
  -- The last key that was looked at, by handler.
  v_places jsonb := coalesce(nullif(current_setting('redrive.free_keys_redrive', true), ''), '{}');
begin
  for k in
    with recursive behind as (
      select l.handler, l.per_key, coalesce(v_places ->> l.handler, '') as place, (select j.limit_key from redrive.jobs j where j.state = 'held' and j.handler = l.handler
        and j.limit_key > coalesce(v_places ->> l.handler, '') order by j.limit_key limit 1) as key
      from unnest(p_handlers, p_limits) as l(handler, per_key)
      union all
      select h.handler, h.per_key, h.place, (select j.limit_key from redrive.jobs j where j.state = 'held' and j.handler = h.handler
        and j.limit_key > h.place and j.limit_key > h.key order by j.limit_key limit 1)
      from behind h where h.key is not null), before as (
      select l.handler, l.per_key, coalesce(v_places ->> l.handler, '') as place, (select j.limit_key from redrive.jobs j where j.state = 'held' and j.handler = l.handler
        and j.limit_key <= coalesce(v_places ->> l.handler, '') order by j.limit_key limit 1) as key
      from unnest(p_handlers, p_limits) as l(handler, per_key)
      union all
      select h.handler, h.per_key, h.place, (select j.limit_key from redrive.jobs j where j.state = 'held' and j.handler = h.handler
        and j.limit_key <= h.place and j.limit_key > h.key order by j.limit_key limit 1)
      from before h where h.key is not null)
    select h.handler, h.key, h.per_key from (select * from behind union all select * from before) h
    where h.key is not null limit 256
  loop
    v_looks := v_looks + 1;
    v_places := v_places || jsonb_build_object(k.handler, k.key);
    v_room := redrive.key_room(k.handler, k.key, k.per_key);
    if v_room > 0 then
      v_total := v_total + redrive.release_heads(k.handler, k.key, null, v_room);
    end if;
  end loop;
  if v_looks = 256 then
    perform set_config('redrive.free_keys_redrive', v_places::text, false);
  end if;
  return v_total;
end $$;
