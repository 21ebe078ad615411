-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.tick(
  p_now bigint, p_seq bigint, p_limit integer, p_detail text,
  out promoted integer, out released integer, out expired integer, out lanes text, out records text)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_handlers text[];
  v_keys text[];
  v_tenants text[];
  v_records text;
  v_hooks json;
  v_hook record;
  v_enqueued record;
begin
  promoted := redrive.promote(v_now, p_limit);

  with changed as (
    update redrive.jobs j set state = 'ready', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), due_at = null,
        cause = null, previous_block = j.audit_block
    where j.seq = any(array(
      select d.seq from redrive.jobs d where d.state = 'parked' and d.due_at <= v_now
      order by d.due_at limit p_limit for update skip locked))
    returning case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision,
        '"unpark","parked","ready"', v_now, j.token, j.generation, j.executions, j.previous_block,
        p_detail || ']') end as record
  )
  select count(*), string_agg(c.record, E',\n') into released, records from changed c;

  with gone as (
    delete from redrive.jobs where seq = any(array(
      select d.seq from redrive.jobs d where d.deadline <= v_now and d.lease_since is null
      order by d.deadline limit p_limit for update skip locked))
    returning *
  ), kept as (
    insert into redrive.finished (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class, finished_at, fingerprint)
      select
        g.seq, g.submitted_at, g.priority, g.id, g.handler, g.queue, g.tenant, g.payload, g.payload_bytes,
        g.unique_key, g.limit_key, g.session_id, g.headers, g.spec, g.tags, 'dead', g.revision + 1,
        coalesce(p_seq, 0), g.audit_block, g.token, g.generation_at, g.deadline, g.generation, g.claims,
        g.executions, g.failed, g.lease_lost, g.account, g.retry_count, g.cancel_requested, g.attempts,
        'ttl_exceeded', g.error_class, v_now, 'fp1:a4ce84ab05cedfa6'
    from gone g
  )
  select count(*), string_agg(case when p_seq is not null then concat_ws(',', '[' || to_json(g.id)::text, g.revision + 1,
        '"expire"', concat('"', (case when g.state = 'held' then 'ready' else g.state::text end), '"'), '"dead"', v_now, g.token, g.generation, g.executions, g.audit_block,
        p_detail || ']') end, E',\n'),
    array_agg(g.handler) filter (where g.state = 'ready' and g.limit_key is not null),
    array_agg(g.limit_key) filter (where g.state = 'ready' and g.limit_key is not null),
    array_agg(g.tenant) filter (where g.state = 'ready' and g.limit_key is not null),
    (select json_agg(json_build_array(l.handler, l.queue, l.count))::text
      from (select e.handler, e.queue, count(*) as count from gone e group by 1, 2) l),
    json_agg(json_build_object('id', g.id, 'generation', g.generation, 'queue', g.queue, 'tenant', g.tenant,
      'session', coalesce(g.session_id, g.id), 'spec', g.spec::json)) filter (where g.spec like '%"onDead":%')
  into expired, v_records, v_handlers, v_keys, v_tenants, lanes, v_hooks from gone g;
  records := concat_ws(E',\n', nullif(records, ''), nullif(v_records, ''));
  for v_hook in
    select 'dead:' || (h->>'generation') || ':' || (h->>'id') as id, h->>'id' as parent, h->>'generation' as generation,
      h->'spec'->>'onDead' as handler, h->>'queue' as queue, nullif(h->>'tenant', '') as tenant,
      coalesce(h->'spec'->>'correlationId', h->>'session') as correlation, h->'spec'->>'traceId' as trace
    from json_array_elements(v_hooks) as h where h->'spec'->>'onDead' is not null
  loop
    v_enqueued := redrive.enqueue(p_now, p_seq, n_id => array[v_hook.id], n_handler => array[v_hook.handler], n_queue => array[v_hook.queue], n_detail => left(p_detail, -1) || ',"handler":' || to_json(v_hook.handler) || ',"queue":' || to_json(v_hook.queue)
      || coalesce(',"tenant":' || to_json(v_hook.tenant)::text, '') || coalesce(',"correlation":' || to_json(v_hook.correlation)::text, '')
      || coalesce(',"trace":' || to_json(v_hook.trace)::text, '') || coalesce(',"parent":' || to_json(v_hook.parent)::text, '') || '}', n_payload => '{"dead_letter":' || to_json(v_hook.parent) || ',"generation":' || v_hook.generation || '}', n_tenant => array[v_hook.tenant], n_priority => null, n_due_at => null, n_due_in => null, n_deadline_at => null, n_deadline_in => null, n_on_conflict => null, n_generation => null, n_claims => null, n_executions => null, n_failed => null, n_lease_lost => null, n_account => null, n_retry_count => null, n_error_class => null, n_unique_key => null, n_limit_key => null, n_session_id => null, n_tags => null, n_headers => null, n_spec => '{"parentId":' || to_json(v_hook.parent) || coalesce(',"correlationId":' || to_json(v_hook.correlation)::text, '')
      || coalesce(',"traceId":' || to_json(v_hook.trace)::text, '') || ',"digest":"dead-letter"}', n_payload_bytes => null, n_attempts => null);
    records := concat_ws(E',\n', nullif(records, ''), nullif(v_enqueued.records, ''));
  end loop;
  if expired > 0 then
    perform redrive.keep_groups(array['fp1:a4ce84ab05cedfa6'], array['ttl_exceeded: the deadline passed before an attempt started']);
  end if;
  if v_keys is not null then
    perform redrive.release_held(v_handlers, v_keys, v_tenants);
  end if;

  -- Held jobs of a key without a lease are released, whatever error has left them held.
  with recursive held as (
    select (select j.handler from redrive.jobs j where j.state = 'held' and j.limit_key is not null order by j.handler limit 1) as handler
    union all
    select (select j.handler from redrive.jobs j where j.state = 'held' and j.limit_key is not null and j.handler > h.handler order by j.handler limit 1)
    from held h where h.handler is not null
  )
  select array_agg(h.handler) into v_handlers from held h where h.handler is not null;
  if v_handlers is not null then
    perform redrive.release_free_keys(v_handlers, array_fill(1, array[cardinality(v_handlers)]));
  end if;
end $$;
