import { ENQUEUE_RULES } from '@redrive/durable/store';
import { NEW_JOB_COLUMNS, type NewJobColumn } from './enqueue-function.ts';
import { CLOCK_MS } from './now.ts';

const { maxPayloadBytes } = ENQUEUE_RULES;

/** A member of an object in JSON, where the value is not null. */
const member = (name: string, json: string): string => `coalesce(',"${name}":' || ${json}, '')`;

const OF_TEXT = (name: string) => `to_json(p->>'${name}')::text`;
const DETAIL_TENANT = `to_json(nullif(p->>'tenant', ''))::text`;
const DETAIL_PRIORITY = `nullif(v_priority, 0)::text`;

/** What `enqueueDetail` writes. */
const DETAIL = `'{"by":' || to_json('sql:' || session_user) || ',"handler":' || to_json(handler) || ',"queue":' || to_json(v_queue)
        || ${member('tenant', DETAIL_TENANT)} || ${member('priority', DETAIL_PRIORITY)}
        || coalesce(',"due":{"atMs":' || v_run_at || '}', ',"due":{"inMs":' || v_delay || '}', '')
        || coalesce(',"deadline":{"atMs":' || v_deadline || '}', '')
        || ${member('correlation', OF_TEXT('correlationId'))} || ${member('trace', OF_TEXT('traceId'))}
        || ${member('maxAttempts', 'v_attempts::text')}
        || ${member('batch', OF_TEXT('batch'))} || '}'`;

/** What `specText` writes. */
const SPEC = `nullif('{' || substr(${[
  member('batch', OF_TEXT('batch')),
  member('policyId', OF_TEXT('policy')),
  member('maxAttempts', 'v_attempts::text'),
  member('rateKey', OF_TEXT('rateKey')),
  member('correlationId', OF_TEXT('correlationId')),
  member('traceId', OF_TEXT('traceId')),
  member('idempotencyKey', `to_json(nullif(p->>'idempotencyKey', id))::text`),
  member('digest', `to_json(${'$'}digest)::text`),
].join(' || ')}, 2) || '}', '{}')`;

/** The parameters of `enqueue_in` for one job; the others are null. */
const ARGUMENTS: Readonly<Partial<Record<NewJobColumn, string>>> = {
  id: 'array[id]',
  handler: 'array[handler]',
  queue: 'array[v_queue]',
  detail: DETAIL,
  payload: 'v_payload',
  tenant: `array[nullif(p->>'tenant', '')]`,
  priority: 'array[v_priority]',
  due_at: 'array[v_run_at]',
  due_in: 'array[ceil(v_delay::float8)::bigint]',
  deadline_at: 'array[v_deadline]',
  on_conflict: `case when v_key is not null then v_conflict || coalesce(' ' || v_for_ms, '') end`,
  unique_key: 'array[v_key]',
  limit_key: `array[p->>'limitKey']`,
  tags: 'array[v_tags::text]',
  headers: `nullif(p->>'headers', '{}')`,
};

/**
 * Enqueues a job from SQL: in a trigger, or in the transaction of a program in any language. The checks and their texts
 * are those of `jobs.enqueue`, and so are the record in the audit log and the conflicts, which end the statement with an
 * error: a trigger would not look at an answer.
 */
export function addJobFunction(s: string): string {
  const given = Object.keys(ARGUMENTS) as NewJobColumn[]; // It has no other keys.
  const named = [
    ...given.map((name) => `n_${name} => ${ARGUMENTS[name]}`),
    `n_spec => ${SPEC.replace('$digest', `case when p ? 'id' then ${s}.job_digest(handler, payload, v_payload) end`)}`,
    ...NEW_JOB_COLUMNS.map(([name]) => name)
      .filter((name) => name !== 'spec' && !given.includes(name))
      .map((name) => `n_${name} => null`),
  ];
  return `
    ${digestFunctions(s)}

    create or replace function ${s}.add_job(
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
        raise exception using message = 'Invalid job: it must be an object, not ' || ${s}.shown_value(p) || '.',
          errcode = 'invalid_parameter_value', detail = 'invalid_job';
      end if;
      p := case when jsonb_typeof(p) = 'object' then p else '{}' end;
      v_problems := array_remove(${s}.job_problems(handler, payload, p), null);
      if cardinality(v_problems) > 0 then
        raise exception using message = 'Invalid job: ' || array_to_string(v_problems, '; ') || '.',
          errcode = 'invalid_parameter_value', detail = 'invalid_job';
      end if;
      if octet_length(v_payload) > ${maxPayloadBytes} then
        raise exception using message = 'The payload of a job for ' || handler || ' has at least ' || octet_length(v_payload)
            || ' bytes, more than the ${maxPayloadBytes} that are allowed. Store large data elsewhere and enqueue where it is.',
          errcode = 'program_limit_exceeded', detail = 'payload_too_large';
      end if;
      -- An option that is null was not given.
      p := (select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each(p) o where o.value <> 'null');
      id := coalesce(${s}.callers_id(p->>'id', p->>'tenant'), ${s}.sortable_id());
      v_queue := coalesce(p->>'queue', 'default');
      v_priority := (p->>'priority')::numeric;
      v_attempts := (p->>'maxAttempts')::numeric;
      v_run_at := ${s}.time_ms(p->'runAt');
      v_delay := ${s}.js_number(p->'delayMs');
      v_deadline := ${s}.time_ms(p->'deadline');
      v_key := coalesce(p->'unique'->>'key', p->>'uniqueKey');
      v_for_ms := ceil((p->'unique'->>'forMs')::numeric);
      v_conflict := coalesce(p->>'onConflict', 'existing');
      v_tags := case jsonb_typeof(p->'tags') when 'string' then array[p->>'tags']
        else nullif(array(select jsonb_array_elements_text(p->'tags')), '{}') end;
      v_result := ${s}.enqueue_in(null,
        ${named.join(',\n        ')});
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
    end $$;`;
}

function digestFunctions(s: string): string {
  return `create or replace function ${s}.canonical_json(p_value jsonb, p_depth integer) returns text
    language plpgsql immutable as $$
    begin
      if p_depth > 64 then
        raise exception using errcode = 'data_exception', message = 'more than 64 levels';
      end if;
      return case jsonb_typeof(p_value)
        when 'object' then (
          select '{' || coalesce(string_agg(to_json(e.key) || ':' || ${s}.canonical_json(e.value, p_depth + 1), ',' order by
            -- By UTF-16 units: characters beyond the first 2^16 are before those from U+E000 on.
            regexp_replace(e.key, '([\\uE000-\\uFFFF])', chr(1114111) || '\\1', 'g') collate "C"), '') || '}'
          from jsonb_each(p_value) e)
        when 'array' then (
          select '[' || coalesce(string_agg(${s}.canonical_json(e.value, p_depth + 1), ',' order by e.ord), '') || ']'
          from jsonb_array_elements(p_value) with ordinality as e(value, ord))
        when 'string' then to_json(p_value #>> '{}')::text
        when 'number' then ${s}.js_number(p_value)
        else p_value::text end;
    end $$;

    create or replace function ${s}.job_digest(p_handler text, p_payload jsonb, p_text text) returns text
    language plpgsql immutable as $$
    declare
      v_text text := coalesce(p_text, '');
    begin
      begin
        if not jsonb_path_exists(p_payload, '$.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))') then
          v_text := ${s}.canonical_json(p_payload, case when jsonb_typeof(p_payload) in ('object', 'array') then 1 else 0 end);
        end if;
      exception when data_exception then null;
      end;
      return rtrim(translate(encode(sha256(convert_to('[' || to_json(p_handler) || ',"json"]' || v_text, 'UTF8')), 'base64'), '+/', '-_'), '=');
    end $$;

    create or replace function ${s}.sortable_id() returns text
    language sql volatile as $$
      -- As newSortableId makes it, with a random part for each job: sessions share no counter.
      select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (case when i < 9
          then div(n.ms, 36::numeric ^ (8 - i)) else get_byte(n.random, i - 9) end % 36)::integer + 1, 1), '' order by i)
      from (select ${CLOCK_MS} as ms, sha256(convert_to(gen_random_uuid()::text, 'UTF8')) as random) n, generate_series(0, 19) i;
    $$;`;
}
