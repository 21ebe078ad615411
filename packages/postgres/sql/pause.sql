-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.pause(
  p_now bigint, p_paused boolean, p_scope text, p_name text, p_by text, p_why text, out changed boolean)
language plpgsql volatile as $$
declare
  v_key text := concat('pause:', replace(p_scope, 'handler', 'operation'), ':', p_name);
  v_before bigint := (select c.revision from redrive.controls c where c.kind = 'kill' and c.key = v_key);
begin
  changed := p_paused = (v_before is null) and (
    select c.refusal is null from redrive.control('kill', v_key, coalesce(v_before, 0), case when p_paused then
      json_strip_nulls(json_build_object('mode', 'finish', 'sinceMs', coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 'by', p_by, 'why', p_why))::text end) c);
end $$;

-- A record that is not a transition of a job.
create or replace function redrive.note(p_now bigint, p_event text, p_subject text, p_detail text) returns text
language sql volatile as $$
  select concat('[', to_json(p_subject)::text, ',0,"', p_event, '",null,null,', coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), ',0,0,0,0,', p_detail, ']')
$$;
