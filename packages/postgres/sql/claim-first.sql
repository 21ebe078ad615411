-- Where do the ready jobs of one handler begin? Most claims are for one handler, which has jobs in one queue, of one tenant:
-- three looks into the index show it.
--
-- The cursor says where to begin to look, so that entries of the index are not passed over again and again that are dead.
-- There are as many as jobs were claimed since the last vacuum, which comes once a minute at most; and none is removed while
-- somebody else's transaction is held open.
--
-- It is set only by a claim from one handler, queue, priority and tenant whose look went over many pages, and is good for
-- twenty times as long as that look took, between a tenth of a second and five seconds. Then the next look goes from the
-- start: a job with an earlier place (a retry keeps its own) may wait for that time, also when nothing is behind the cursor,
-- because an idle worker would pass over all dead entries at every notice. Other queues and tenants, and higher priorities,
-- are looked for every time. It belongs to the session, and a step that is rolled back takes it with it. Before the time at
-- which it was set it is not good either: the server's clock may be set back by hours.

-- The first ready job of a handler, or the place of the cursor. only_range: all ready jobs of the first priority have its
-- queue and tenant. No queue: there is no ready job.
create or replace function redrive.first_range(
  p_handler text, p_jobs integer, p_killed_tenants text[],
  out queue text, out priority integer, out tenant text, out submitted_at bigint, out only_range boolean,
  -- Handler, queue, priority, tenant, time of submission, and from when until when it is good. Null: it is not used.
  out cursor text[],
  -- What the look cost, where the cursor is not used.
  out pages bigint, out took_ms integer)
language plpgsql volatile as $$
#variable_conflict use_variable
declare
  v_cursor text[] := string_to_array(current_setting('redrive.cursor_redrive', true), E'\x01');
  v_began timestamptz;
  v_more_queues boolean;
  v_more_tenants boolean;
begin
  pages := 0;
  if v_cursor[1] = p_handler and v_cursor[6]::bigint <= redrive.clock_ms() and v_cursor[7]::bigint > redrive.clock_ms()
    and p_jobs >= 8 /* cursorJobs */ and v_cursor[4] <> all(p_killed_tenants) then
    queue := v_cursor[2];
    priority := v_cursor[3]::integer;
    tenant := v_cursor[4];
    submitted_at := v_cursor[5]::bigint;
    only_range := not (
      exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue < queue)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue > queue)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority > priority)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority = priority and j.tenant < tenant)
      or exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = queue
        and j.priority = priority and j.tenant > tenant));
    if only_range then
      cursor := v_cursor;
      return;
    end if;
  end if;

  v_began := clock_timestamp();
  pages := pg_stat_get_xact_blocks_fetched('redrive.jobs_ready'::regclass);
  select h.queue, h.priority, h.tenant, h.submitted_at,
    exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue > h.queue),
    exists (select from redrive.jobs j where j.state = 'ready' and j.handler = p_handler and j.queue = h.queue
      and j.priority = h.priority and j.tenant > h.tenant)
  into queue, priority, tenant, submitted_at, v_more_queues, v_more_tenants
  from (
    select j.queue, j.priority, j.tenant, j.submitted_at from redrive.jobs j
    where j.state = 'ready' and j.handler = p_handler
    order by j.queue, j.priority desc, j.tenant, j.submitted_at, j.id limit 1) h;
  only_range := not found or not (v_more_queues or v_more_tenants);
  pages := pg_stat_get_xact_blocks_fetched('redrive.jobs_ready'::regclass) - pages;
  took_ms := ceil(extract(epoch from clock_timestamp() - v_began) * 1000);
end $$;

-- Keeps the place behind a claim from one range of the index. p_cursor: the one that it was found by keeps its times.
create or replace function redrive.keep_cursor(
  p_handler text, p_queue text, p_priority integer, p_tenant text, p_last_at bigint, p_cursor text[], p_took_ms integer)
returns void language plpgsql volatile as $$
declare
  v_now bigint := redrive.clock_ms();
  v_cursor text := array_to_string(array[
    p_handler, p_queue, p_priority::text, p_tenant, p_last_at::text,
    coalesce(p_cursor[6], v_now::text),
    coalesce(p_cursor[7], (v_now + least(5000, greatest(100 /* cursorMs */, 20 * p_took_ms)))::text)], E'\x01');
begin
  -- A name may contain the separator.
  if cardinality(string_to_array(v_cursor, E'\x01')) = 7 then
    perform set_config('redrive.cursor_redrive', v_cursor, false);
  end if;
end $$;

-- The server's clock at this very moment, in milliseconds. Never now(), which is the start of the transaction: a lease that
-- counts from there may be born expired. Rounded down, so that nothing is ever early.
create or replace function redrive.clock_ms() returns bigint
language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;
