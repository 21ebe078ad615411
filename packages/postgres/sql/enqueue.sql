-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.known_id(p_id text, p_spec text) returns text
language plpgsql volatile as $$
declare
  v_digest text := substring(p_spec from '"digest":"[^"]*"');
  v_spec text;
begin
  if p_spec like '{"batch":"%' and not exists (select from redrive.ids i where i.id = p_id) then
    return 'batch_closed';
  end if;
  if v_digest is null then
    return 'duplicate_id';
  end if;
  select coalesce(j.spec, f.spec, '') into v_spec from redrive.ids i
    left join redrive.jobs j on j.seq = i.seq left join redrive.finished f on f.seq = i.seq where i.id = p_id;
  -- Without a row it was deleted a moment ago, after this enqueue had met it.
  return case when strpos(v_spec, v_digest) = 0 then 'idempotency_conflict' else 'existing' end;
end $$;

create or replace function redrive.enqueue(
  p_now bigint, p_seq bigint, n_id text[], n_handler text[], n_queue text[], n_detail text, n_payload text, n_tenant text[],
        n_priority integer[], n_due_at bigint[], n_due_in bigint[], n_deadline_at bigint[],
        n_deadline_in bigint[], n_on_conflict text, n_generation integer[], n_claims integer[],
        n_executions integer[], n_failed integer[], n_lease_lost integer[], n_account text,
        n_retry_count integer[], n_error_class text, n_unique_key text[], n_limit_key text[],
        n_session_id text[], n_tags text[], n_headers text, n_spec text, n_payload_bytes bytea[],
        n_attempts text,
  out outcomes text[], out ids text[], out records text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_seqs bigint[] := array(select nextval('redrive.job_seq') from generate_series(1, cardinality(n_id)));
  v_known integer := 0;
  v_callers boolean := strpos(n_spec, '"digest":"') > 0;
  v_windows boolean := strpos(n_on_conflict, ' ') > 0;
  v_rows integer;
  v_taken boolean;
  v_window json;
  v_outcome text;
  v_id text;
  v_holder record;
  n record;
begin
  if strpos(n_spec, '{"batch":"') > 0 then
    -- A seal waits for this transaction, or this one for the seal.
    perform from redrive.batches b where b.id in (select case when starts_with(n.spec, '{"batch":"') then split_part(n.spec, '"', 4) end from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n) order by b.id for share;
    v_seqs := array(select case when case when starts_with(n.spec, '{"batch":"') then split_part(n.spec, '"', 4) end is null or exists (
        select from redrive.batches b where b.id = case when starts_with(n.spec, '{"batch":"') then split_part(n.spec, '"', 4) end and b.state = 'open' and b.tenant = coalesce(n.tenant, ''))
      then n.seq end from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n order by n.ord);
    v_known := coalesce(cardinality(array_positions(v_seqs, null)), 0);
  end if;
  while n_unique_key is null or not exists (
    select from unnest(n_unique_key) as u(key) join redrive.jobs j on j.unique_key = u.key) loop
    begin
      if v_windows then

        insert into redrive.ledger as l (key, token, lease_until, until, state, fingerprint, value)
        select concat('unique', chr(10), n.unique_key), nextval('redrive.ledger_token'), v_now, v_now + nullif(split_part(n.on_conflict, ' ', 2), '')::bigint, 'done', '',
          json_build_array(n.id, n.handler, coalesce(n.tenant, ''))::text
        from (select distinct on (n.unique_key) n.* from (select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n where n.seq is not null) n where nullif(split_part(n.on_conflict, ' ', 2), '')::bigint is not null order by n.unique_key) n
        on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until,
          until = excluded.until, state = 'done', fingerprint = '', value = excluded.value, error = null
        where l.until <= v_now;
        get diagnostics v_rows = row_count;
        if v_rows < (select count(nullif(split_part(n.on_conflict, ' ', 2), '')::bigint) from (select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n where n.seq is not null) n) then raise unique_violation; end if;
      end if;
      with numbered as (
        insert into redrive.ids (id, seq, session_id)
        select i.id, i.seq, i.session_id from unnest(n_id, v_seqs, n_session_id) as i(id, seq, session_id)
        where i.seq is not null order by case when v_callers then i.id end
      ), accepted as (
        insert into redrive.jobs (
        seq, submitted_at, id, handler, queue, tenant, unique_key, limit_key, session_id, spec, payload,
        payload_bytes, headers, tags, priority, state, revision, audit_block, token, generation_at, deadline,
        generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested, attempts,
        error_class, due_at, previous_block)
      select
        n.seq, v_now, n.id, n.handler, n.queue, coalesce(n.tenant, ''), n.unique_key, n.limit_key,
        n.session_id, n.spec, case when octet_length(n.payload) <= 2000 then n.payload end,
        case when octet_length(n.payload_bytes) <= 2000 then n.payload_bytes end, n.headers, n.tags::text[],
        coalesce(n.priority, 0),
        (case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end)::redrive.job_state,
        1, coalesce(p_seq, 0), 0, v_now, coalesce(n.deadline_at, v_now + n.deadline_in),
        coalesce(n.generation, 1), coalesce(n.claims, 0), coalesce(n.executions, 0), coalesce(n.failed, 0),
        coalesce(n.lease_lost, 0), n.account, coalesce(n.retry_count, 0), false, n.attempts, n.error_class,
        case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then coalesce(n.due_at, v_now + n.due_in, v_now) end,
        0
        from (select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n where n.seq is not null) n order by n.unique_key, n.ord)
      select case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(n.id)), 1, '"enqueue"', 'null', concat('"', case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end, '"'), v_now, 0, redrive.alike(array_agg((coalesce(n.generation, 1))::bigint)), redrive.alike(array_agg((coalesce(n.executions, 0))::bigint)), 0, n.detail) as fields
        from (select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n where n.seq is not null) n group by case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end, n.detail having count(*) > 0) r) end into records;
      -- None is large where all of them together are not.
      if octet_length(n_payload) > 2000 or n_payload_bytes is not null then
        insert into redrive.payloads (seq, payload, payload_bytes)
        select n.seq, n.payload, n.payload_bytes from (select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n where n.seq is not null) n where (octet_length(n.payload) > 2000 or octet_length(n.payload_bytes) > 2000);
      end if;
      if v_known > 0 then
        outcomes := array(select case when n.seq is null then redrive.known_id(n.id, n.spec) else 'created' end
          from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n order by n.ord);
        ids := n_id;
      end if;
      return;
    exception when unique_violation then
      -- The statement was undone.
      v_seqs := array(select case when d.id is null then i.seq end
        from unnest(n_id, v_seqs) with ordinality as i(id, seq, ord) left join redrive.ids d on d.id = i.id order by i.ord);
      -- No further id exists: the conflict is one of unique keys.
      exit when cardinality(array_positions(v_seqs, null)) = v_known;
      v_known := cardinality(array_positions(v_seqs, null));
    end;
  end loop;

  for n in select * from (
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
        unique_key, limit_key, session_id, tags, headers, spec, payload_bytes, attempts, seq, ord)) n order by n.ord loop
    v_outcome := case when n.seq is null then redrive.known_id(n.id, n.spec) end;
    v_id := n.id;
    while v_outcome is null loop
      v_taken := false;
      if nullif(split_part(n.on_conflict, ' ', 2), '')::bigint is not null then

        insert into redrive.ledger as l (key, token, lease_until, until, state, fingerprint, value)
        select concat('unique', chr(10), n.unique_key), nextval('redrive.ledger_token'), v_now, v_now + nullif(split_part(n.on_conflict, ' ', 2), '')::bigint, 'done', '',
          json_build_array(n.id, n.handler, coalesce(n.tenant, ''))::text
        from (select n.id, n.handler, n.queue, n.detail, n.payload, n.tenant, n.priority, n.due_at, n.due_in, n.deadline_at,
        n.deadline_in, n.on_conflict, n.generation, n.claims, n.executions, n.failed, n.lease_lost, n.account,
        n.retry_count, n.error_class, n.unique_key, n.limit_key, n.session_id, n.tags, n.headers, n.spec,
        n.payload_bytes, n.attempts, n.seq) n
        on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until,
          until = excluded.until, state = 'done', fingerprint = '', value = excluded.value, error = null
        where l.until <= v_now;
        v_taken := found;
      end if;
      insert into redrive.ids (id, seq, session_id) values (n.id, n.seq, n.session_id) on conflict do nothing;
      if not found then
        if v_taken then delete from redrive.ledger l where l.key = concat('unique', chr(10), n.unique_key); end if;
        v_outcome := redrive.known_id(n.id, n.spec);
        v_id := n.id;
        exit;
      end if;
      select * into v_holder from redrive.jobs j where j.unique_key = n.unique_key;
      if found and split_part(n.on_conflict, ' ', 1) = 'replace' and v_holder.state <> 'leased' then
        -- Only now: the holder's end would wait for the end of this transaction, which may be a caller's.
        select * into v_holder from redrive.jobs j where j.unique_key = n.unique_key for update;
      end if;
      if not found and nullif(split_part(n.on_conflict, ' ', 2), '')::bigint is not null and not v_taken then
        delete from redrive.ids i where i.id = n.id;
        select l.value into v_window from redrive.ledger l where l.key = concat('unique', chr(10), n.unique_key) and l.until > v_now;
        -- Otherwise its time is over since a moment ago.
        continue when not found;
        v_id := v_window->>0;
        v_outcome := case when split_part(n.on_conflict, ' ', 1) = 'refuse' or (split_part(n.on_conflict, ' ', 1) = 'replace'
          and (v_window->>1 <> n.handler or v_window->>2 <> coalesce(n.tenant, ''))) then 'unique_conflict' else 'existing' end;
        exit;
      end if;
      if not found then
        insert into redrive.jobs (
        seq, submitted_at, id, handler, queue, tenant, unique_key, limit_key, session_id, spec, payload,
        payload_bytes, headers, tags, priority, state, revision, audit_block, token, generation_at, deadline,
        generation, claims, executions, failed, lease_lost, account, retry_count, cancel_requested, attempts,
        error_class, due_at, previous_block)
      select
        n.seq, v_now, n.id, n.handler, n.queue, coalesce(n.tenant, ''), n.unique_key, n.limit_key,
        n.session_id, n.spec, case when octet_length(n.payload) <= 2000 then n.payload end,
        case when octet_length(n.payload_bytes) <= 2000 then n.payload_bytes end, n.headers, n.tags::text[],
        coalesce(n.priority, 0),
        (case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end)::redrive.job_state,
        1, coalesce(p_seq, 0), 0, v_now, coalesce(n.deadline_at, v_now + n.deadline_in),
        coalesce(n.generation, 1), coalesce(n.claims, 0), coalesce(n.executions, 0), coalesce(n.failed, 0),
        coalesce(n.lease_lost, 0), n.account, coalesce(n.retry_count, 0), false, n.attempts, n.error_class,
        case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then coalesce(n.due_at, v_now + n.due_in, v_now) end,
        0
        from (select n.id, n.handler, n.queue, n.detail, n.payload, n.tenant, n.priority, n.due_at, n.due_in, n.deadline_at,
        n.deadline_in, n.on_conflict, n.generation, n.claims, n.executions, n.failed, n.lease_lost, n.account,
        n.retry_count, n.error_class, n.unique_key, n.limit_key, n.session_id, n.tags, n.headers, n.spec,
        n.payload_bytes, n.attempts, n.seq) n on conflict do nothing;
        -- Otherwise somebody else has the key since a moment ago.
        if found then
          v_outcome := 'created';
          v_id := n.id;
          perform redrive.replace_payload(n.seq, n.payload, n.payload_bytes);
          records := concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then concat_ws(',', '[' || to_json(n.id)::text, 1,
        '"enqueue"', 'null', concat('"', case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end, '"'), v_now, 0, coalesce(n.generation, 1), coalesce(n.executions, 0), 0,
        n.detail || ']') end, ''));
          exit;
        end if;
        delete from redrive.ids i where i.id = n.id;
        if v_taken then delete from redrive.ledger l where l.key = concat('unique', chr(10), n.unique_key); end if;
        continue;
      end if;
      delete from redrive.ids i where i.id = n.id;
      if v_taken then delete from redrive.ledger l where l.key = concat('unique', chr(10), n.unique_key); end if;
      v_id := v_holder.id;
      -- The payload of one handler means nothing to another one, and that of one tenant is not for another one.
      if split_part(n.on_conflict, ' ', 1) = 'refuse' or (split_part(n.on_conflict, ' ', 1) = 'replace'
          and (v_holder.handler <> n.handler or v_holder.tenant <> coalesce(n.tenant, ''))) then
        v_outcome := 'unique_conflict';
      elsif split_part(n.on_conflict, ' ', 1) = 'replace' and v_holder.state <> 'leased' then
        v_outcome := 'replaced';
        records := concat_ws(E',\n', nullif(records, ''), nullif(case when p_seq is not null then concat_ws(',', '[' || to_json(v_holder.id)::text, v_holder.revision + 1,
        '"replace"', concat('"', case when v_holder.state = 'held' then 'ready' else v_holder.state::text end, '"'), concat('"', case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end, '"'), v_now, v_holder.token, v_holder.generation, v_holder.executions, v_holder.audit_block,
        (
  select '{' || string_agg(to_json(d.key) || ':' || case d.key
when 'queue' then to_json(v_holder.queue)::text else d.value::text end, ',' order by d.ord) || '}'
  from json_each(n.detail::json) with ordinality as d(key, value, ord)
  where d.key not in ('session', 'correlation', 'trace', 'origin', 'maxAttempts', 'ownPolicy', 'onDead', 'parent', 'batch', 'account', 'handedOver')) || ']') end, ''));
        update redrive.jobs j set
          state = (case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then 'scheduled' else 'ready' end)::redrive.job_state,
        revision = j.revision + 1, audit_block = coalesce(p_seq, 0),
        deadline = coalesce(n.deadline_at, v_now + n.deadline_in),
        due_at = case when coalesce(n.due_at, v_now + n.due_in, v_now) > v_now then coalesce(n.due_at, v_now + n.due_in, v_now) end,
        cause = null, previous_block = j.audit_block,
        payload = case when octet_length(n.payload) <= 2000 then n.payload end,
        payload_bytes = case when octet_length(n.payload_bytes) <= 2000 then n.payload_bytes end,
        headers = n.headers, tags = n.tags::text[], priority = coalesce(n.priority, 0)
        where j.seq = v_holder.seq;
        perform redrive.replace_payload(v_holder.seq, n.payload, n.payload_bytes);
        -- It may have been released by its limit key, and other jobs wait behind it.
        if v_holder.state = 'ready' and v_holder.limit_key is not null then
          perform redrive.release_held(array[v_holder.handler], array[v_holder.limit_key], array[v_holder.tenant]);
        end if;
      else
        v_outcome := 'existing';
      end if;
    end loop;
    outcomes := outcomes || v_outcome;
    ids := ids || v_id;
  end loop;
end $$;
