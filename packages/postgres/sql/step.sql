-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.step(
  p_now bigint, p_seq bigint, p_writer text,
  s_id text[], s_tid tid[], s_token bigint[], s_next text, s_reason text, s_attempts text, s_detail text,
        s_generation integer[], s_claims integer[], s_executions integer[], s_failed integer[],
        s_lease_lost integer[], s_account text, s_retry_count integer[], s_error_class text, s_due_in bigint[],
        s_cause text[], s_result text, s_result_omitted bigint[], s_expired boolean[], s_unfit boolean[],
        s_fingerprint text, s_pattern text,
  n_id text[], n_handler text[], n_queue text[], n_detail text, n_payload text, n_tenant text[],
        n_priority integer[], n_due_at bigint[], n_due_in bigint[], n_deadline_at bigint[],
        n_deadline_in bigint[], n_on_conflict text, n_generation integer[], n_claims integer[],
        n_executions integer[], n_failed integer[], n_lease_lost integer[], n_account text,
        n_retry_count integer[], n_error_class text, n_unique_key text[], n_limit_key text[],
        n_session_id text[], n_tags text[], n_headers text, n_spec text, n_payload_bytes bytea[],
        n_attempts text,
  c_worker text, c_lease bigint, c_limit integer, c_ahead integer, c_queues text[], c_after text, c_max_losses integer, c_only text[], c_alone boolean, c_rates text, l_handler text[], l_limit integer[], l_policy_hash text[], l_max_attempts integer[], l_per_key integer[], l_detail text[]
) returns setof redrive.answer language plpgsql volatile as $$
declare
  v_records text;
  v_settled record;
  v_enqueued record;
begin
  if p_writer is not null then
    p_seq := nextval('redrive.audit_seq');
  end if;
  if s_id is not null then
    v_settled := redrive.settle(p_now, p_seq, s_id, s_tid, s_token, s_next, s_reason, s_attempts, s_detail, s_generation, s_claims, s_executions,
        s_failed, s_lease_lost, s_account, s_retry_count, s_error_class, s_due_in, s_cause, s_result,
        s_result_omitted, s_expired, s_unfit, s_fingerprint, s_pattern);
    v_records := v_settled.records;
    if v_settled.refused is not null or v_settled.released > 0 then
      return next row('settle', json_build_array(coalesce(v_settled.refused, '{}'), coalesce(v_settled.refusals, '{}'), coalesce(v_settled.released, 0)), null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::redrive.answer;
    end if;
  end if;
  if n_id is not null then
    v_enqueued := redrive.enqueue(p_now, p_seq, n_id, n_handler, n_queue, n_detail, n_payload, n_tenant, n_priority, n_due_at, n_due_in, n_deadline_at,
        n_deadline_in, n_on_conflict, n_generation, n_claims, n_executions, n_failed, n_lease_lost, n_account,
        n_retry_count, n_error_class, n_unique_key, n_limit_key, n_session_id, n_tags, n_headers, n_spec,
        n_payload_bytes, n_attempts);
    v_records := concat_ws(E',\n', nullif(v_records, ''), nullif(v_enqueued.records, ''));
    if v_enqueued.outcomes is not null then
      return next row('enqueue', json_build_array(v_enqueued.outcomes, v_enqueued.ids), null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::redrive.answer;
    end if;
  end if;
  if c_worker is not null then
    return query select * from redrive.claim(p_now, p_seq, p_writer, v_records, c_worker, c_lease, c_limit, c_ahead, c_queues, c_after, c_max_losses, c_only, c_alone, c_rates, l_handler, l_limit, l_policy_hash, l_max_attempts, l_per_key, l_detail);
  else
    return query select * from redrive.end_step(p_now, p_seq, p_writer, v_records);
  end if;
end $$;
