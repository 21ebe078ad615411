-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.note(p_now bigint, p_event text, p_subject text, p_detail text) returns text
language sql volatile as $$
  select concat('[', to_json(p_subject)::text, ',0,"', p_event, '",null,null,', coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), ',0,0,0,0,', p_detail, ']')
$$;
