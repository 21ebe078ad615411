-- Whose turn is it?

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
