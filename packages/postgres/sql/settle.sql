-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.settle(
  p_now bigint, p_seq bigint, s_id text[], s_tid tid[], s_token bigint[], s_next text, s_reason text, s_attempts text, s_detail text,
        s_generation integer[], s_claims integer[], s_executions integer[], s_failed integer[],
        s_lease_lost integer[], s_account text, s_retry_count integer[], s_error_class text, s_due_in bigint[],
        s_cause text[], s_result text, s_result_omitted bigint[], s_expired boolean[], s_unfit boolean[],
        s_fingerprint text, s_pattern text,
  out refused integer[], out refusals text[], out released integer, out records text)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_count integer := cardinality(s_id);
  v_done integer[];
  v_handlers text[];
  v_keys text[];
  v_tenants text[];
  v_fingerprints text[];
  v_patterns text[];
  v_free integer[];
  v_shared text;
begin
  if s_expired is not null then
    -- A rescue waits for no row: a process that has locked it is about to settle or rescue the attempt, or hangs. Rows
    -- that are unlocked must not wait for it, and a worker that settles its own leases locks rows in another order.
    v_free := array(
      select e.ord::integer from (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e, redrive.ids i, redrive.jobs j
      where e.expired and i.id = e.id and j.seq = i.seq and j.token = e.token and j.lease_since is not null
      for update of j skip locked);
  end if;
  if s_tid is not null
    and cardinality(s_token) = 1
    and s_next = 'succeeded'
    and strpos(s_reason, E'\x01') = 0
    and cardinality(s_generation) = 1
    and cardinality(s_claims) = 1
    and cardinality(s_executions) = 1
    and s_failed is null
    and s_lease_lost is null
    and s_account is null
    and s_retry_count is null
    and s_error_class is null
    and s_due_in is null
    and s_cause is null
    and s_result_omitted is null
    and s_expired is null
    and s_unfit is null
    and s_fingerprint is null
    and s_pattern is null
    and not starts_with(s_detail, E'\x03') then

  with gone as (
    delete from redrive.jobs j
    using unnest(s_id, s_tid, string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), string_to_array(s_result, E'\x01', ''))
      with ordinality as e(id, tid, attempts, detail, result, ord)
    where j.ctid = e.tid and j.id = e.id and j.token = s_token[1] and j.lease_since is not null
    returning j.*, e.ord::integer as e_ord, e.attempts as e_attempts, e.detail as e_detail, e.result as e_result
  ), kept as (
    insert into redrive.finished (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class, finished_at, result)
      select
        g.seq, g.submitted_at, g.priority, g.id, g.handler, g.queue, g.tenant, g.payload, g.payload_bytes,
        g.unique_key, g.limit_key, g.session_id, g.headers, g.spec, g.tags, 'succeeded', g.revision + 1,
        coalesce(p_seq, 0), g.audit_block, g.token + 1, g.generation_at, g.deadline, s_generation[1],
        s_claims[1], s_executions[1], 0, 0, '1', 0, g.cancel_requested, g.e_attempts, s_reason, null, v_now,
        g.e_result
    from gone g
  )
  select array_agg(g.e_ord), array_agg(g.handler) filter (where g.limit_key is not null),
    array_agg(g.tenant) filter (where g.limit_key is not null),
    array_agg(g.limit_key) filter (where g.limit_key is not null),
    case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(g.id)), redrive.alike(array_agg((g.revision + 1)::bigint)), '"settle","leased","succeeded"', v_now, redrive.alike(array_agg((g.token + 1)::bigint)), s_generation[1], s_executions[1], redrive.alike(array_agg((g.audit_block)::bigint)), coalesce(g.e_detail, s_detail)) as fields
        from gone g group by coalesce(g.e_detail, s_detail) having count(*) > 0) r) end
  into v_done, v_handlers, v_tenants, v_keys, records from gone g;
  else
    if starts_with(s_detail, E'\x03') then
      v_shared := split_part(s_detail, E'\x03', 2);
      s_detail := split_part(s_detail, E'\x03', 3);
    end if;
    if s_tid is not null then
      -- The row of a job that goes on is not read here: if it is cancelled, it is found by its id below.
      if s_next not in ('scheduled', 'ready', 'parked') then

  with gone as (
    delete from redrive.jobs j using (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e where j.ctid = e.tid and
  j.id = e.id and j.token = e.token and j.lease_since is not null
  and e.unfit is null and (e.expired is null or (j.lease_until <= v_now and e.ord = any(v_free))) and e.next in ('succeeded', 'dead', 'cancelled')
    returning j.*, e.ord::integer as e_ord, e.detail as e_detail, case when e.expired then 'lease_lost' else 'settle' end as e_event,
      (case when e.next in ('succeeded', 'dead', 'cancelled') then e.next else 'cancelled' end)::redrive.job_state as e_state,
      e.generation as e_generation, e.claims as e_claims, e.executions as e_executions,
        coalesce(e.failed, 0) as e_failed, coalesce(e.lease_lost, 0) as e_lease_lost,
        coalesce(e.account, '1') as e_account, coalesce(e.retry_count, 0) as e_retry_count,
        e.error_class as e_error_class,
        case when e.next in ('succeeded', 'dead', 'cancelled') then e.reason else 'cancelled' end as e_reason,
        e.attempts as e_attempts, e.fingerprint as e_fingerprint, e.result as e_result,
        e.result_omitted as e_result_omitted_bytes
  ), kept as (
    insert into redrive.finished (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class, finished_at, fingerprint, result, result_omitted_bytes)
      select
        g.seq, g.submitted_at, g.priority, g.id, g.handler, g.queue, g.tenant, g.payload, g.payload_bytes,
        g.unique_key, g.limit_key, g.session_id, g.headers, g.spec, g.tags, g.e_state, g.revision + 1,
        coalesce(p_seq, 0), g.audit_block, g.token + 1, g.generation_at, g.deadline, g.e_generation,
        g.e_claims, g.e_executions, g.e_failed, g.e_lease_lost, g.e_account, g.e_retry_count,
        g.cancel_requested, g.e_attempts, g.e_reason, g.e_error_class, v_now,
        case when g.e_state in ('dead') then g.e_fingerprint end,
        case when g.e_state in ('succeeded') then g.e_result end,
        case when g.e_state in ('succeeded') then g.e_result_omitted_bytes end
    from gone g
  )
  select v_done || array_agg(g.e_ord), v_handlers || array_agg(g.handler) filter (where g.limit_key is not null),
    v_tenants || array_agg(g.tenant) filter (where g.limit_key is not null),
    v_keys || array_agg(g.limit_key) filter (where g.limit_key is not null),
    v_fingerprints || array_agg(distinct g.e_fingerprint) filter (where g.e_state = 'dead' and g.e_fingerprint is not null),
    concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(g.id)), redrive.alike(array_agg((g.revision + 1)::bigint)), concat('"', g.e_event, '"'), '"leased"', concat('"', g.e_state, '"'), v_now, redrive.alike(array_agg((g.token + 1)::bigint)), redrive.alike(array_agg((g.e_generation)::bigint)), redrive.alike(array_agg((g.e_executions)::bigint)), redrive.alike(array_agg((g.audit_block)::bigint)), coalesce(nullif(split_part(g.e_detail, E'\x02', 1), ''), v_shared), '[' || string_agg(nullif(split_part(g.e_detail, E'\x02', 2), ''), ',') || ']') as fields
        from gone g group by g.e_event, g.e_state, split_part(g.e_detail, E'\x02', 1) having count(*) > 0) r) end, ''))
  into v_done, v_handlers, v_tenants, v_keys, v_fingerprints, records from gone g;
      end if;

  if cardinality(v_done) is distinct from v_count then
    with changed as (
      update redrive.jobs j set
        state = t.state, revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
        generation = e.generation, claims = e.claims, executions = e.executions,
        failed = coalesce(e.failed, 0), lease_lost = coalesce(e.lease_lost, 0),
        account = coalesce(e.account, '1'), retry_count = coalesce(e.retry_count, 0), attempts = e.attempts,
        reason = e.reason, error_class = e.error_class,
        due_at = case when t.state in ('scheduled', 'parked') then v_now + coalesce(e.due_in, 0) end,
        cause = case when t.state in ('parked') then e.cause end, worker = null, lease_since = null,
        lease_until = null, policy_hash = null, alone = null, progress = null, previous_block = j.audit_block
      from (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e, lateral (select (case when e.next = 'scheduled' and coalesce(e.due_in, 0) <= 0 then 'ready' else e.next end)::redrive.job_state as state) t where j.ctid = e.tid and
  j.id = e.id and j.token = e.token and j.lease_since is not null
  and e.unfit is null and (e.expired is null or (j.lease_until <= v_now and e.ord = any(v_free))) and not (e.next in ('succeeded', 'dead', 'cancelled') or j.cancel_requested)
      returning e.ord::integer as ord, j.handler, j.limit_key, j.tenant, j.id, j.state, j.revision, j.token,
        j.generation, j.executions, j.previous_block, case when e.expired then 'lease_lost' else 'settle' end as event, e.detail
    )
    select v_done || array_agg(ord), v_handlers || array_agg(handler) filter (where limit_key is not null),
    v_tenants || array_agg(tenant) filter (where limit_key is not null),
      v_keys || array_agg(limit_key) filter (where limit_key is not null),
      concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(c.id)), redrive.alike(array_agg((c.revision)::bigint)), concat('"', c.event, '"'), '"leased"', concat('"', c.state, '"'), v_now, redrive.alike(array_agg((c.token)::bigint)), redrive.alike(array_agg((c.generation)::bigint)), redrive.alike(array_agg((c.executions)::bigint)), redrive.alike(array_agg((c.previous_block)::bigint)), coalesce(nullif(split_part(c.detail, E'\x02', 1), ''), v_shared), '[' || string_agg(nullif(split_part(c.detail, E'\x02', 2), ''), ',') || ']') as fields
        from changed c group by c.event, c.state, split_part(c.detail, E'\x02', 1) having count(*) > 0) r) end, ''))
    into v_done, v_handlers, v_tenants, v_keys, records from changed;
  end if;
    end if;
  end if;
  -- A second time, because a cancellation that the first one has waited for leads elsewhere.
  for v_look in 1..2 loop
    exit when cardinality(v_done) = v_count;

  with gone as (
    delete from redrive.jobs j using (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e, redrive.ids i where i.id = e.id and j.seq = i.seq and e.ord <> all(coalesce(v_done, '{}')) and
  j.id = e.id and j.token = e.token and j.lease_since is not null
  and e.unfit is null and (e.expired is null or (j.lease_until <= v_now and e.ord = any(v_free))) and (e.next in ('succeeded', 'dead', 'cancelled') or j.cancel_requested)
    returning j.*, e.ord::integer as e_ord, e.detail as e_detail, case when e.expired then 'lease_lost' else 'settle' end as e_event,
      (case when e.next in ('succeeded', 'dead', 'cancelled') then e.next else 'cancelled' end)::redrive.job_state as e_state,
      e.generation as e_generation, e.claims as e_claims, e.executions as e_executions,
        coalesce(e.failed, 0) as e_failed, coalesce(e.lease_lost, 0) as e_lease_lost,
        coalesce(e.account, '1') as e_account, coalesce(e.retry_count, 0) as e_retry_count,
        e.error_class as e_error_class,
        case when e.next in ('succeeded', 'dead', 'cancelled') then e.reason else 'cancelled' end as e_reason,
        e.attempts as e_attempts, e.fingerprint as e_fingerprint, e.result as e_result,
        e.result_omitted as e_result_omitted_bytes
  ), kept as (
    insert into redrive.finished (
        seq, submitted_at, priority, id, handler, queue, tenant, payload, payload_bytes, unique_key, limit_key,
        session_id, headers, spec, tags, state, revision, audit_block, previous_block, token, generation_at,
        deadline, generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested,
        attempts, reason, error_class, finished_at, fingerprint, result, result_omitted_bytes)
      select
        g.seq, g.submitted_at, g.priority, g.id, g.handler, g.queue, g.tenant, g.payload, g.payload_bytes,
        g.unique_key, g.limit_key, g.session_id, g.headers, g.spec, g.tags, g.e_state, g.revision + 1,
        coalesce(p_seq, 0), g.audit_block, g.token + 1, g.generation_at, g.deadline, g.e_generation,
        g.e_claims, g.e_executions, g.e_failed, g.e_lease_lost, g.e_account, g.e_retry_count,
        g.cancel_requested, g.e_attempts, g.e_reason, g.e_error_class, v_now,
        case when g.e_state in ('dead') then g.e_fingerprint end,
        case when g.e_state in ('succeeded') then g.e_result end,
        case when g.e_state in ('succeeded') then g.e_result_omitted_bytes end
    from gone g
  )
  select v_done || array_agg(g.e_ord), v_handlers || array_agg(g.handler) filter (where g.limit_key is not null),
    v_tenants || array_agg(g.tenant) filter (where g.limit_key is not null),
    v_keys || array_agg(g.limit_key) filter (where g.limit_key is not null),
    v_fingerprints || array_agg(distinct g.e_fingerprint) filter (where g.e_state = 'dead' and g.e_fingerprint is not null),
    concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(g.id)), redrive.alike(array_agg((g.revision + 1)::bigint)), concat('"', g.e_event, '"'), '"leased"', concat('"', g.e_state, '"'), v_now, redrive.alike(array_agg((g.token + 1)::bigint)), redrive.alike(array_agg((g.e_generation)::bigint)), redrive.alike(array_agg((g.e_executions)::bigint)), redrive.alike(array_agg((g.audit_block)::bigint)), coalesce(nullif(split_part(g.e_detail, E'\x02', 1), ''), v_shared), '[' || string_agg(nullif(split_part(g.e_detail, E'\x02', 2), ''), ',') || ']') as fields
        from gone g group by g.e_event, g.e_state, split_part(g.e_detail, E'\x02', 1) having count(*) > 0) r) end, ''))
  into v_done, v_handlers, v_tenants, v_keys, v_fingerprints, records from gone g;

  if cardinality(v_done) is distinct from v_count then
    with changed as (
      update redrive.jobs j set
        state = t.state, revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
        generation = e.generation, claims = e.claims, executions = e.executions,
        failed = coalesce(e.failed, 0), lease_lost = coalesce(e.lease_lost, 0),
        account = coalesce(e.account, '1'), retry_count = coalesce(e.retry_count, 0), attempts = e.attempts,
        reason = e.reason, error_class = e.error_class,
        due_at = case when t.state in ('scheduled', 'parked') then v_now + coalesce(e.due_in, 0) end,
        cause = case when t.state in ('parked') then e.cause end, worker = null, lease_since = null,
        lease_until = null, policy_hash = null, alone = null, progress = null, previous_block = j.audit_block
      from (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e, redrive.ids i, lateral (select (case when e.next = 'scheduled' and coalesce(e.due_in, 0) <= 0 then 'ready' else e.next end)::redrive.job_state as state) t where i.id = e.id and j.seq = i.seq and e.ord <> all(coalesce(v_done, '{}')) and
  j.id = e.id and j.token = e.token and j.lease_since is not null
  and e.unfit is null and (e.expired is null or (j.lease_until <= v_now and e.ord = any(v_free))) and not (e.next in ('succeeded', 'dead', 'cancelled') or j.cancel_requested)
      returning e.ord::integer as ord, j.handler, j.limit_key, j.tenant, j.id, j.state, j.revision, j.token,
        j.generation, j.executions, j.previous_block, case when e.expired then 'lease_lost' else 'settle' end as event, e.detail
    )
    select v_done || array_agg(ord), v_handlers || array_agg(handler) filter (where limit_key is not null),
    v_tenants || array_agg(tenant) filter (where limit_key is not null),
      v_keys || array_agg(limit_key) filter (where limit_key is not null),
      concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(c.id)), redrive.alike(array_agg((c.revision)::bigint)), concat('"', c.event, '"'), '"leased"', concat('"', c.state, '"'), v_now, redrive.alike(array_agg((c.token)::bigint)), redrive.alike(array_agg((c.generation)::bigint)), redrive.alike(array_agg((c.executions)::bigint)), redrive.alike(array_agg((c.previous_block)::bigint)), coalesce(nullif(split_part(c.detail, E'\x02', 1), ''), v_shared), '[' || string_agg(nullif(split_part(c.detail, E'\x02', 2), ''), ',') || ']') as fields
        from changed c group by c.event, c.state, split_part(c.detail, E'\x02', 1) having count(*) > 0) r) end, ''))
    into v_done, v_handlers, v_tenants, v_keys, records from changed;
  end if;
  end loop;
  records := nullif(records, '');

  if v_fingerprints is not null then
    select array_agg(e.fingerprint), array_agg(e.pattern) into v_fingerprints, v_patterns
    from unnest(string_to_array(s_fingerprint, E'\x01', ''), string_to_array(s_pattern, E'\x01', '')) as e(fingerprint, pattern)
    where e.fingerprint = any(v_fingerprints);
    perform redrive.keep_groups(v_fingerprints, v_patterns);
  end if;

  if v_keys is not null then
    released := redrive.release_held(v_handlers, v_keys, v_tenants);
  end if;

  if cardinality(v_done) is distinct from v_count then
    select array_agg(e.ord), array_agg(case
      when i.id is null then 'not_found'
      when j.seq is null or j.token <> e.token or j.lease_since is null then 'stale_token'
      when e.expired and (j.lease_until > v_now or e.ord <> all(v_free)) then 'lease_alive'
      else 'illegal' end)
    into refused, refusals
    from (
      select r.id, r.tid, coalesce(r.token, s_token[1]) as token, coalesce(r.next, s_next) as next,
        coalesce(r.reason, s_reason) as reason, r.attempts, coalesce(r.detail, s_detail) as detail,
        coalesce(r.generation, s_generation[1]) as generation, coalesce(r.claims, s_claims[1]) as claims,
        coalesce(r.executions, s_executions[1]) as executions, r.failed, r.lease_lost, r.account,
        r.retry_count, r.error_class, r.due_in, r.cause, r.result, r.result_omitted, r.expired, r.unfit,
        r.fingerprint, r.pattern, ord
      from unnest(s_id, s_tid, s_token, string_to_array(s_next, E'\x01', ''), string_to_array(s_reason, E'\x01', ''),
        string_to_array(s_attempts, E'\x01', ''), string_to_array(s_detail, E'\x01', ''), s_generation,
        s_claims, s_executions, s_failed, s_lease_lost, string_to_array(s_account, E'\x01', ''), s_retry_count,
        string_to_array(s_error_class, E'\x01', ''), s_due_in, s_cause, string_to_array(s_result, E'\x01', ''),
        s_result_omitted, s_expired, s_unfit, string_to_array(s_fingerprint, E'\x01', ''),
        string_to_array(s_pattern, E'\x01', ''))
        with ordinality as r(id, tid, token, next, reason, attempts, detail, generation, claims, executions, failed, lease_lost,
        account, retry_count, error_class, due_in, cause, result, result_omitted, expired, unfit, fingerprint,
        pattern, ord)) e left join redrive.ids i on i.id = e.id left join redrive.jobs j on j.seq = i.seq
    where e.ord <> all(coalesce(v_done, '{}'));
  end if;
end $$;
