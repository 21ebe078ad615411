-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.act(
  p_now bigint, p_seq bigint, p_act text, p_id text, p_detail text, p_deadline_at bigint, p_deadline_in bigint,
  p_generation integer default null, p_payload text default null, p_payload_bytes bytea default null, p_by text default null,
  out state text, out refusal text, out records text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_from text;
  v_seq bigint := (select i.seq from redrive.ids i where i.id = p_id);
  j record;
begin
  -- A second time, because a requeue may bring it back between the two looks.
  for v_look in 1..2 loop
    select * into j from redrive.jobs where seq = v_seq for update;
    if found then
      v_now := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
      v_from := case when j.state = 'held' then 'ready' else j.state::text end;
      if j.generation <> p_generation then
        refusal := 'changed';
      elsif p_act = 'cancel' and v_from in ('scheduled', 'ready', 'parked') then
        with gone as (delete from redrive.jobs where seq = v_seq returning *)
        insert into redrive.finished (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class, finished_at)
      select
        g.seq, g.submitted_at, g.priority, g.id, g.handler, g.queue, g.tenant, g.payload, g.payload_bytes,
        g.unique_key, g.limit_key, g.session_id, g.headers, g.spec, g.tags, 'cancelled', g.revision + 1,
        coalesce(p_seq, 0), g.audit_block, g.token, g.generation_at, g.deadline, g.generation, g.claims,
        g.executions, g.failed, g.lease_lost, g.account, g.retry_count, g.cancel_requested, g.attempts,
        'cancelled', g.error_class, v_now
        from gone g;
        if j.state = 'ready' and j.limit_key is not null then
          perform redrive.release_held(array[j.handler], array[j.limit_key], array[j.tenant]);
        end if;
        state := 'cancelled';
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), '"cancelled"', v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'cancel' and v_from in ('leased') then
        update redrive.jobs j set revision = j.revision + 1, audit_block = coalesce(p_seq, 0), cancel_requested = true,
        previous_block = j.audit_block where j.seq = v_seq;
        state := v_from;
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), concat('"', v_from, '"'), v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'run_now' and v_from in ('scheduled') then
        update redrive.jobs j set state = 'ready', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), due_at = null,
        previous_block = j.audit_block where j.seq = v_seq;
        state := 'ready';
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), '"ready"', v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'unpark' and v_from in ('parked') then
        update redrive.jobs j set state = 'ready', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), due_at = null,
        cause = null, previous_block = j.audit_block where j.seq = v_seq;
        state := 'ready';
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), '"ready"', v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'reset' and v_from in ('scheduled', 'ready', 'parked') then
        update redrive.jobs j set revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
        generation_at = v_now, generation = j.generation + 1, claims = 0, failed = 0, lease_lost = 0,
        account = null, retry_count = 0, previous_block = j.audit_block where j.seq = v_seq;
        state := v_from;
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), concat('"', v_from, '"'), v_now, j.token + 1, j.generation + 1, j.executions, j.audit_block,
        p_detail || ']') end;
      else
        refusal := 'illegal';
      end if;
      return;
    end if;

    select * into j from redrive.finished where seq = v_seq for update;
    if found then
      v_now := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
      v_from := j.state::text;
      if j.generation <> p_generation then
        refusal := 'changed';
      elsif p_act = 'requeue' and exists (select from redrive.jobs o where o.unique_key = j.unique_key) then
        refusal := 'unique_conflict';
      elsif p_act = 'requeue' and v_from in ('dead', 'cancelled') then
        insert into redrive.jobs (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class)
      select
        j.seq, j.submitted_at, j.priority, j.id, j.handler, j.queue, j.tenant,
        case when p_payload is null and p_payload_bytes is null then j.payload else case when octet_length(p_payload) <= 2000 then p_payload end end,
        case when p_payload is null and p_payload_bytes is null then j.payload_bytes else case when octet_length(p_payload_bytes) <= 2000 then p_payload_bytes end end,
        j.unique_key, j.limit_key, j.session_id, j.headers, j.spec, j.tags, 'ready', j.revision + 1,
        coalesce(p_seq, 0), j.audit_block, j.token + 1, v_now, coalesce(p_deadline_at, v_now + p_deadline_in),
        j.generation + 1, 0, j.executions, 0, 0, null, 0, false, j.attempts, null, null
        on conflict do nothing;
        if not found then
          refusal := 'unique_conflict';
          return;
        end if;
        delete from redrive.finished where seq = v_seq;
        if p_payload is not null or p_payload_bytes is not null then
          perform redrive.keep_payload(
            j.seq, j.generation, coalesce(j.payload, (select p.payload from redrive.payloads p where p.seq = j.seq)), case when j.payload is null then coalesce(j.payload_bytes, (select p.payload_bytes from redrive.payloads p where p.seq = j.seq)) end, v_now, p_by);
          perform redrive.replace_payload(j.seq, p_payload, p_payload_bytes);
        end if;
        state := 'ready';
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), '"ready"', v_now, j.token + 1, j.generation + 1, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'reset' and v_from in ('dead', 'cancelled') then
        update redrive.finished j set revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
        generation_at = v_now, generation = j.generation + 1, claims = 0, failed = 0, lease_lost = 0,
        account = null, retry_count = 0, previous_block = j.audit_block where j.seq = v_seq;
        state := v_from;
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), concat('"', v_from, '"'), v_now, j.token + 1, j.generation + 1, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'purge' and v_from in ('succeeded', 'dead', 'cancelled') then
        update redrive.finished j set state = 'purged', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), purged_from = j.state,
        purged_at = v_now, previous_block = j.audit_block where j.seq = v_seq;
        state := 'purged';
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), '"purged"', v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      elsif p_act = 'restore' and v_from in ('purged') then
        update redrive.finished j set state = j.purged_from, revision = j.revision + 1, audit_block = coalesce(p_seq, 0), purged_from = null,
        purged_at = null, previous_block = j.audit_block where j.seq = v_seq;
        state := j.purged_from;
        records := case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision + 1,
        concat('"', p_act, '"'), concat('"', v_from, '"'), concat('"', j.purged_from, '"'), v_now, j.token, j.generation, j.executions, j.audit_block,
        p_detail || ']') end;
      else
        refusal := 'illegal';
      end if;
      return;
    end if;
  end loop;
  refusal := 'not_found';
end $$;
