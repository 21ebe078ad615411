-- Which lanes are open? The pairs of a claim's handlers and of queues that have ready jobs, with the number of the handler.
create or replace function redrive.open_lanes(
  p_handlers text[], p_queues text[], p_paused_handlers text[], p_paused_queues text[],
  out lanes integer[], out handlers text[], out queues text[])
language plpgsql volatile as $$
begin
  with recursive pairs as (
    select l.lane::integer as lane, l.handler, (
      select j.queue from redrive.jobs j where j.state = 'ready' and j.handler = l.handler
      order by j.queue limit 1) as queue
    from unnest(p_handlers) with ordinality as l(handler, lane) where l.handler <> all(p_paused_handlers)
    union all
    select p.lane, p.handler, (
      select j.queue from redrive.jobs j where j.state = 'ready' and j.handler = p.handler and j.queue > p.queue
      order by j.queue limit 1)
    from pairs p where p.queue is not null
  )
  select array_agg(p.lane), array_agg(p.handler), array_agg(p.queue) into lanes, handlers, queues
  from pairs p
  where p.queue is not null and p.queue <> all(p_paused_queues) and (p_queues is null or p.queue = any(p_queues));
end $$;
