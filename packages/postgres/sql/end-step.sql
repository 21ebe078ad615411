-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.end_step(p_now bigint, p_seq bigint, p_writer text, p_records text)
returns setof redrive.answer language plpgsql volatile as $$
begin
  if p_records <> '' and p_writer is not null then
    perform redrive.write_block(p_seq, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), p_writer, p_records);
    return next row('block', p_seq, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::redrive.answer;
  elsif p_records <> '' and p_seq is not null then
    return next row('records', p_records, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::redrive.answer;
  end if;
end $$;
