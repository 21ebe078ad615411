-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.promote(p_now bigint, p_limit integer) returns integer
language plpgsql volatile as $$
declare
  v_count integer;
begin
  update redrive.jobs j set state = 'ready', due_at = null where j.seq = any(array(
    select d.seq from redrive.jobs d where d.state = 'scheduled' and d.due_at <= p_now
    order by d.due_at limit p_limit for update skip locked));
  get diagnostics v_count = row_count;
  return v_count;
end $$;
