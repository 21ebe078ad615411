-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.heartbeat(
  p_now bigint, p_ids text[], p_tokens bigint[], p_progress text[], p_lease bigint, p_wait integer,
  out held integer[], out cancelled integer[], out busy integer[])
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_end timestamptz := clock_timestamp() + make_interval(secs => p_wait / 1000.0);
  v_lease record;
  v_cancelled boolean;
begin
  with free as (
    select j.seq, l.ord::integer as ord, l.progress from unnest(p_ids, p_tokens, p_progress) with ordinality as l(id, token, progress, ord)
    join redrive.ids i on i.id = l.id
    join redrive.jobs j on j.seq = i.seq and j.token = l.token and j.lease_since is not null for no key update of j skip locked
  ), extended as (
    update redrive.jobs j set lease_until = greatest(j.lease_until, v_now + p_lease), progress = coalesce(f.progress, j.progress)
    from free f where j.seq = f.seq and j.lease_until > v_now
    returning f.ord, j.cancel_requested
  )
  select array_agg(e.ord), array_agg(e.ord) filter (where e.cancel_requested) into held, cancelled from extended e;
  if cardinality(held) = cardinality(p_ids) then
    return;
  end if;

  for v_lease in
    select l.ord::integer as ord, l.token, l.progress, j.seq from unnest(p_ids, p_tokens, p_progress) with ordinality as l(id, token, progress, ord)
    join redrive.ids i on i.id = l.id
    join redrive.jobs j on j.seq = i.seq and j.token = l.token and j.lease_since is not null
    where j.lease_until > v_now and l.ord <> all(coalesce(held, '{}'))
  loop
    perform set_config('lock_timeout',
      greatest(1, ceil(extract(epoch from v_end - clock_timestamp()) * 1000))::text, true);
    begin
      perform from redrive.jobs j where j.seq = v_lease.seq for no key update;
      v_now := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
      update redrive.jobs j set lease_until = greatest(j.lease_until, v_now + p_lease),
        progress = coalesce(v_lease.progress, j.progress)
      where j.seq = v_lease.seq and j.token = v_lease.token and j.lease_since is not null and j.lease_until > v_now
      returning j.cancel_requested into v_cancelled;
      if found then
        held := held || v_lease.ord;
        if v_cancelled then cancelled := cancelled || v_lease.ord; end if;
      end if;
    exception when lock_not_available then
      busy := busy || v_lease.ord;
    end;
  end loop;
end $$;
