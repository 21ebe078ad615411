create or replace function redrive.pause(
  p_now bigint, p_paused boolean, p_scope text, p_name text, p_by text, p_why text, out changed boolean)
language plpgsql volatile as $$
begin
  if p_paused then
    insert into redrive.pauses (scope, name, since, paused_by, why) values (p_scope, p_name, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), p_by, p_why)
    on conflict do nothing;
  else
    delete from redrive.pauses where scope = p_scope and name = p_name;
  end if;
  changed := found;
  if changed then
    perform redrive.rise(0);
    perform redrive.write_stops();
  end if;
end $$;

-- A record that is no transition of a job.
create or replace function redrive.note(p_now bigint, p_event text, p_subject text, p_detail text) returns text
language sql volatile as $$
  select concat('[', to_json(p_subject)::text, ',0,"', p_event, '",null,null,', coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), ',0,0,0,0,', p_detail, ']')
$$;
