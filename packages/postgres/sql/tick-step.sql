-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.tick_step(
  p_now bigint, p_writer text, p_limit integer, p_detail text,
  out promoted integer, out released integer, out expired integer, out lanes text, out due boolean)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_seq bigint;
  v_ticked record;
begin
  if not exists (select from redrive.jobs j where j.state = 'scheduled' and j.due_at <= v_now)
    and not exists (select from redrive.jobs j where j.state = 'parked' and j.due_at <= v_now)
    and not exists (select from redrive.jobs j where j.deadline <= v_now and j.lease_since is null)
    and not exists (select from redrive.jobs j where j.state = 'held' and j.limit_key is not null) then
    promoted := 0;
    released := 0;
    expired := 0;
    due := false;
    return;
  end if;
  due := true;
  if p_writer is not null then
    v_seq := nextval('redrive.audit_seq');
  end if;
  v_ticked := redrive.tick(p_now, v_seq, p_limit, p_detail);
  if v_ticked.records <> '' and p_writer is not null then
    perform redrive.write_block(v_seq, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), p_writer, v_ticked.records);
  end if;
  promoted := v_ticked.promoted;
  released := v_ticked.released;
  expired := v_ticked.expired;
  lanes := v_ticked.lanes;
end $$;
