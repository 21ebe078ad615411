-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.requeue_usual(
  p_now bigint, p_seq bigint, p_ids text[], p_generations integer[], p_detail text, p_deadline_at bigint, p_deadline_in bigint)
returns table (taken text, records text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now bigint;
  v_seqs bigint[] := array(
    select f.seq from unnest(p_ids, p_generations) as o(id, generation)
    join redrive.ids i on i.id = o.id join redrive.finished f on f.seq = i.seq
    where f.generation = o.generation and f.state in ('dead', 'cancelled') and f.unique_key is null
    order by f.seq for update of f);
begin
  v_now := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  return query
  with gone as (
    delete from redrive.finished f where f.seq = any(v_seqs) returning f.*, f.state::text as v_from
  ), added as (
    insert into redrive.jobs (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class)
      select
        j.seq, j.submitted_at, j.priority, j.id, j.handler, j.queue, j.tenant, j.payload, j.payload_bytes,
        j.unique_key, j.limit_key, j.session_id, j.headers, j.spec, j.tags, 'ready', j.revision + 1,
        coalesce(p_seq, 0), j.audit_block, j.token + 1, v_now, coalesce(p_deadline_at, v_now + p_deadline_in),
        j.generation + 1, 0, j.executions, 0, 0, null, 0, false, j.attempts, null, null
    from gone j
  )
  select j.id, case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        '"requeue"', concat('"', j.v_from, '"'), '"ready"', v_now, j.token + 1, j.generation + 1, j.executions, j.audit_block,
        p_detail || ']') end from gone j;
end $$;
