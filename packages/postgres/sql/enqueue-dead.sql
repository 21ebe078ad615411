-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.enqueue_dead(
  p_now bigint, p_seq bigint, p_reason text, p_fingerprint text, p_pattern text, n_id text[], n_handler text[], n_queue text[], n_detail text, n_payload text, n_tenant text[],
        n_priority integer[], n_due_at bigint[], n_due_in bigint[], n_deadline_at bigint[],
        n_deadline_in bigint[], n_on_conflict text, n_generation integer[], n_claims integer[],
        n_executions integer[], n_failed integer[], n_lease_lost integer[], n_account text,
        n_retry_count integer[], n_error_class text, n_unique_key text[], n_limit_key text[],
        n_session_id text[], n_tags text[], n_headers text, n_spec text, n_payload_bytes bytea[],
        n_attempts text,
  out created boolean, out records text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_seqs bigint[] := array[nextval('redrive.job_seq')];
  n record;
begin
  select * into n from (
      select r.id, coalesce(r.handler, n_handler[1]) as handler, coalesce(r.queue, n_queue[1]) as queue,
        coalesce(r.detail, n_detail) as detail, r.payload, r.tenant, r.priority, r.due_at, r.due_in,
        r.deadline_at, r.deadline_in, r.on_conflict, r.generation, r.claims, r.executions, r.failed,
        r.lease_lost, r.account, r.retry_count, r.error_class, r.unique_key, r.limit_key, r.session_id, r.tags,
        r.headers, r.spec, r.payload_bytes, r.attempts, seq, ord
      from unnest(n_id, n_handler, n_queue, string_to_array(n_detail, E'\x01', ''),
        string_to_array(n_payload, E'\x01', ''), n_tenant, n_priority, n_due_at, n_due_in, n_deadline_at,
        n_deadline_in, string_to_array(n_on_conflict, E'\x01', ''), n_generation, n_claims, n_executions,
        n_failed, n_lease_lost, string_to_array(n_account, E'\x01', ''), n_retry_count,
        string_to_array(n_error_class, E'\x01', ''), n_unique_key, n_limit_key, n_session_id, n_tags,
        string_to_array(n_headers, E'\x01', ''), string_to_array(n_spec, E'\x01', ''), n_payload_bytes,
        string_to_array(n_attempts, E'\x01', ''), v_seqs)
        with ordinality as r(id, handler, queue, detail, payload, tenant, priority, due_at, due_in, deadline_at, deadline_in,
        on_conflict, generation, claims, executions, failed, lease_lost, account, retry_count, error_class,
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n;
  insert into redrive.ids (id, seq, session_id) values (n.id, n.seq, n.session_id) on conflict do nothing;
  created := found;
  if created then
    insert into redrive.finished (
        seq, submitted_at, id, handler, queue, tenant, unique_key, limit_key, session_id, spec, payload,
        payload_bytes, headers, tags, priority, state, revision, audit_block, token, generation_at, deadline,
        generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested, attempts,
        reason, error_class, finished_at, fingerprint, previous_block)
      select
        n.seq, v_now, n.id, n.handler, n.queue, coalesce(n.tenant, ''), n.unique_key, n.limit_key,
        n.session_id, n.spec, case when octet_length(n.payload) <= 2000 then n.payload end,
        case when octet_length(n.payload_bytes) <= 2000 then n.payload_bytes end, n.headers, n.tags::text[],
        coalesce(n.priority, 0), 'dead'::redrive.job_state, 1, coalesce(p_seq, 0), 0, v_now,
        coalesce(n.deadline_at, v_now + n.deadline_in), coalesce(n.generation, 1), coalesce(n.claims, 0),
        coalesce(n.executions, 0), coalesce(n.failed, 0), coalesce(n.lease_lost, 0), n.account,
        coalesce(n.retry_count, 0), false, n.attempts, p_reason, n.error_class, v_now, p_fingerprint, 0
    from (select n.id, n.handler, n.queue, n.detail, n.payload, n.tenant, n.priority, n.due_at, n.due_in, n.deadline_at,
        n.deadline_in, n.on_conflict, n.generation, n.claims, n.executions, n.failed, n.lease_lost, n.account,
        n.retry_count, n.error_class, n.unique_key, n.limit_key, n.session_id, n.tags, n.headers, n.spec,
        n.payload_bytes, n.attempts, n.seq) n;
    perform redrive.replace_payload(n.seq, n.payload, n.payload_bytes);
    perform redrive.keep_groups(array[p_fingerprint], array[p_pattern]);
    records := case when p_seq is not null then concat_ws(',', '[' || to_json(n.id)::text, 1,
        '"enqueue",null,"dead"', v_now, 0, coalesce(n.generation, 1), coalesce(n.executions, 0), 0,
        n.detail || ']') end;
  end if;
end $$;
