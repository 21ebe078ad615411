-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.canonical_json(p_value jsonb, p_depth integer) returns text
language plpgsql immutable as $$
begin
  if p_depth > 64 then
    raise exception using errcode = 'data_exception', message = 'more than 64 levels';
  end if;
  return case jsonb_typeof(p_value)
    when 'object' then (
      select '{' || coalesce(string_agg(to_json(e.key) || ':' || redrive.canonical_json(e.value, p_depth + 1), ',' order by
        -- By UTF-16 units: characters beyond the first 2^16 are before those from U+E000 on.
        regexp_replace(e.key, '([\uE000-\uFFFF])', chr(1114111) || '\1', 'g') collate "C"), '') || '}'
      from jsonb_each(p_value) e)
    when 'array' then (
      select '[' || coalesce(string_agg(redrive.canonical_json(e.value, p_depth + 1), ',' order by e.ord), '') || ']'
      from jsonb_array_elements(p_value) with ordinality as e(value, ord))
    when 'string' then to_json(p_value #>> '{}')::text
    when 'number' then redrive.js_number(p_value)
    else p_value::text end;
end $$;

create or replace function redrive.job_digest(p_handler text, p_payload jsonb, p_text text) returns text
language plpgsql immutable as $$
declare
  v_text text := coalesce(p_text, '');
begin
  begin
    if not jsonb_path_exists(p_payload, '$.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))') then
      v_text := redrive.canonical_json(p_payload, case when jsonb_typeof(p_payload) in ('object', 'array') then 1 else 0 end);
    end if;
  exception when data_exception then null;
  end;
  return rtrim(translate(encode(sha256(convert_to('[' || to_json(p_handler) || ',"json"]' || v_text, 'UTF8')), 'base64'), '+/', '-_'), '=');
end $$;

create or replace function redrive.sortable_id() returns text
language sql volatile as $$
  -- As newSortableId makes it, with a random part for each job: sessions share no counter.
  select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (case when i < 9
      then div(n.ms, 36::numeric ^ (8 - i)) else get_byte(n.random, i - 9) end % 36)::integer + 1, 1), '' order by i)
  from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms, sha256(convert_to(gen_random_uuid()::text, 'UTF8')) as random) n, generate_series(0, 19) i;
$$;

create or replace function redrive.add_job(
  handler text, payload jsonb, options jsonb default '{}', out id text, out outcome text)
language plpgsql volatile as $$
declare
  p jsonb := options;
  v_problems text[];
  v_payload text := payload::text;
  v_queue text;
  v_priority integer;
  v_attempts integer;
  v_run_at bigint;
  v_delay text;
  v_deadline bigint;
  v_key text;
  v_for_ms bigint;
  v_conflict text;
  v_tags text[];
  v_result record;
begin
  if jsonb_typeof(p) not in ('object', 'null') then
    raise exception using message = 'Invalid job: it must be an object, not ' || redrive.shown_value(p) || '.',
      errcode = 'invalid_parameter_value', detail = 'invalid_job';
  end if;
  p := case when jsonb_typeof(p) = 'object' then p else '{}' end;
  v_problems := array_remove(redrive.job_problems(handler, payload, p), null);
  if cardinality(v_problems) > 0 then
    raise exception using message = 'Invalid job: ' || array_to_string(v_problems, '; ') || '.',
      errcode = 'invalid_parameter_value', detail = 'invalid_job';
  end if;
  if octet_length(v_payload) > 1048576 then
    raise exception using message = 'The payload of a job for ' || handler || ' has at least ' || octet_length(v_payload)
        || ' bytes, more than the 1048576 that are allowed. Store large data elsewhere and enqueue where it is.',
      errcode = 'program_limit_exceeded', detail = 'payload_too_large';
  end if;
  -- An option that is null was not given.
  p := (select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each(p) o where o.value <> 'null');
  id := coalesce(redrive.callers_id(p->>'id', p->>'tenant'), redrive.sortable_id());
  v_queue := coalesce(p->>'queue', 'default');
  v_priority := (p->>'priority')::numeric;
  v_attempts := (p->>'maxAttempts')::numeric;
  v_run_at := redrive.time_ms(p->'runAt');
  v_delay := redrive.js_number(p->'delayMs');
  v_deadline := redrive.time_ms(p->'deadline');
  v_key := coalesce(p->'unique'->>'key', p->>'uniqueKey');
  v_for_ms := ceil((p->'unique'->>'forMs')::numeric);
  v_conflict := coalesce(p->>'onConflict', 'existing');
  v_tags := case jsonb_typeof(p->'tags') when 'string' then array[p->>'tags']
    else nullif(array(select jsonb_array_elements_text(p->'tags')), '{}') end;
  v_result := redrive.enqueue_in(null,
    n_id => array[id],
    n_handler => array[handler],
    n_queue => array[v_queue],
    n_detail => '{"by":' || to_json('sql:' || session_user) || ',"handler":' || to_json(handler) || ',"queue":' || to_json(v_queue)
    || coalesce(',"tenant":' || to_json(nullif(p->>'tenant', ''))::text, '') || coalesce(',"priority":' || nullif(v_priority, 0)::text, '')
    || coalesce(',"due":{"atMs":' || v_run_at || '}', ',"due":{"inMs":' || v_delay || '}', '')
    || coalesce(',"deadline":{"atMs":' || v_deadline || '}', '')
    || coalesce(',"correlation":' || to_json(p->>'correlationId')::text, '') || coalesce(',"trace":' || to_json(p->>'traceId')::text, '')
    || coalesce(',"maxAttempts":' || v_attempts::text, '')
    || coalesce(',"batch":' || to_json(p->>'batch')::text, '') || '}',
    n_payload => v_payload,
    n_tenant => array[nullif(p->>'tenant', '')],
    n_priority => array[v_priority],
    n_due_at => array[v_run_at],
    n_due_in => array[ceil(v_delay::float8)::bigint],
    n_deadline_at => array[v_deadline],
    n_on_conflict => case when v_key is not null then v_conflict || coalesce(' ' || v_for_ms, '') end,
    n_unique_key => array[v_key],
    n_limit_key => array[p->>'limitKey'],
    n_tags => array[v_tags::text],
    n_headers => nullif(p->>'headers', '{}'),
    n_spec => nullif('{' || substr(coalesce(',"batch":' || to_json(p->>'batch')::text, '') || coalesce(',"policyId":' || to_json(p->>'policy')::text, '') || coalesce(',"maxAttempts":' || v_attempts::text, '') || coalesce(',"rateKey":' || to_json(p->>'rateKey')::text, '') || coalesce(',"correlationId":' || to_json(p->>'correlationId')::text, '') || coalesce(',"traceId":' || to_json(p->>'traceId')::text, '') || coalesce(',"idempotencyKey":' || to_json(nullif(p->>'idempotencyKey', id))::text, '') || coalesce(',"digest":' || to_json(case when p ? 'id' then redrive.job_digest(handler, payload, v_payload) end)::text, ''), 2) || '}', '{}'),
    n_deadline_in => null,
    n_generation => null,
    n_claims => null,
    n_executions => null,
    n_failed => null,
    n_lease_lost => null,
    n_account => null,
    n_retry_count => null,
    n_error_class => null,
    n_session_id => null,
    n_payload_bytes => null,
    n_attempts => null);
  id := coalesce(v_result.ids[1], id);
  outcome := coalesce(v_result.outcomes[1], 'created');
  if outcome = 'unique_conflict' then
    raise exception using message = 'The ' || case when v_for_ms is null then 'unfinished job ' else 'job ' end || id || ' has the unique key ' || v_key,
      errcode = 'unique_violation', detail = outcome;
  elsif outcome = 'batch_closed' then
    raise exception using message = 'The batch ' || (p->>'batch') || ' takes no job: it is sealed, or this tenant has no batch with this id',
      errcode = 'object_not_in_prerequisite_state', detail = outcome;
  elsif outcome not in ('created', 'existing', 'replaced') then
    raise exception using message = 'The job ' || id || ' was enqueued with another handler or payload: one id is for one piece of work',
      errcode = 'unique_violation', detail = 'idempotency_conflict';
  end if;
end $$;
