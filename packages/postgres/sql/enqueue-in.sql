-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.enqueue_in(p_now bigint, n_id text[], n_handler text[], n_queue text[], n_detail text, n_payload text, n_tenant text[],
        n_priority integer[], n_due_at bigint[], n_due_in bigint[], n_deadline_at bigint[],
        n_deadline_in bigint[], n_on_conflict text, n_generation integer[], n_claims integer[],
        n_executions integer[], n_failed integer[], n_lease_lost integer[], n_account text,
        n_retry_count integer[], n_error_class text, n_unique_key text[], n_limit_key text[],
        n_session_id text[], n_tags text[], n_headers text, n_spec text, n_payload_bytes bytea[],
        n_attempts text, out outcomes text[], out ids text[])
language plpgsql volatile as $$
declare
  v_seq bigint;
  v_enqueued record;
begin
  for v_race in 1..5 loop
    begin
      v_seq := nextval('redrive.audit_seq');
      v_enqueued := redrive.enqueue(p_now, v_seq, n_id, n_handler, n_queue, n_detail, n_payload, n_tenant, n_priority, n_due_at, n_due_in, n_deadline_at,
        n_deadline_in, n_on_conflict, n_generation, n_claims, n_executions, n_failed, n_lease_lost, n_account,
        n_retry_count, n_error_class, n_unique_key, n_limit_key, n_session_id, n_tags, n_headers, n_spec,
        n_payload_bytes, n_attempts);
      exit;
    exception when check_violation then
      -- Somebody has changed a job that was to be replaced, and has a later number.
      if v_race = 5 then raise; end if;
    end;
  end loop;
  if v_enqueued.records <> '' then
    perform redrive.write_leaf(v_seq, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), v_enqueued.records);
  end if;
  outcomes := v_enqueued.outcomes;
  ids := v_enqueued.ids;
end $$;
