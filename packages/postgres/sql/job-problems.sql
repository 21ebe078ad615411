-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.js_length(p_text text) returns integer
language sql immutable as $$
  -- JavaScript counts a character beyond the first 2^16 as two.
  select char_length(p_text) + char_length(regexp_replace(p_text, '[^\U00010000-\U0010FFFF]', '', 'g'));
$$;

create or replace function redrive.js_number(p_number jsonb) returns text
language plpgsql immutable set extra_float_digits = 1 as $$
declare
  v_text text;
  v_number numeric;
  v_short numeric;
begin
  v_text := (p_number #>> '{}')::float8::text;
  if abs(v_text::float8) >= 1e21 or (abs(v_text::float8) < 1e-6 and v_text <> '0') then
    return regexp_replace(v_text, 'e([+-])0*', 'e\1');
  end if;
  v_number := v_text::numeric;
  -- Halfway between two doubles JavaScript takes the even one, and so writes 16 digits where Postgres writes 17.
  if v_number <> 0 then
    v_short := round(v_number, 15 - floor(log(abs(v_number)))::integer);
    if v_short::float8 = v_text::float8 then v_number := v_short; end if;
  end if;
  return trim_scale(v_number)::text;
exception when numeric_value_out_of_range then
  if abs((p_number #>> '{}')::numeric) < 1 then return '0'; end if;
  return case when (p_number #>> '{}')::numeric > 0 then 'Infinity' else '-Infinity' end;
end $$;

create or replace function redrive.shown_value(p_value jsonb) returns text
language sql immutable as $$
  select case jsonb_typeof(p_value)
    when 'string' then 'the string ' || to_json(left(p_value #>> '{}', 100))
    when 'number' then redrive.js_number(p_value)
    when 'array' then 'an array'
    when 'object' then 'an object'
    else p_value::text end;
$$;

create or replace function redrive.text_problem(p_field text, p_value jsonb, p_max integer, p_empty boolean) returns text
language plpgsql immutable as $$
declare
  v_type text := jsonb_typeof(p_value);
  v_text text := p_value #>> '{}';
begin
  if v_type <> 'string' then
    return p_field || ' must be a text, not a value of type ' || case when v_type in ('array', 'null') then 'object' else v_type end;
  elsif v_text = '' and not p_empty then
    return p_field || ' must not be empty';
  elsif redrive.js_length(v_text) > p_max then
    return p_field || ' must have at most ' || p_max || ' characters, not ' || redrive.js_length(v_text);
  elsif v_text ~ '[\u0001-\u001f\u007f-\u009f]' then
    return p_field || ' must not have control characters';
  end if;
  return null;
end $$;

create or replace function redrive.time_ms(p_value jsonb) returns bigint
language plpgsql stable as $$
begin
  if jsonb_typeof(p_value) = 'string' and p_value #>> '{}' ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$' then
    return ceil(extract(epoch from (p_value #>> '{}')::timestamptz) * 1000);
  end if;
  return null;
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return null;
end $$;

create or replace function redrive.callers_id(p_id text, p_tenant text) returns text
language sql immutable as $$
  select 'id:' || replace(replace(coalesce(p_tenant, ''), '%', '%25'), ':', '%3A') || ':' || p_id;
$$;

create or replace function redrive.unknown_option(p_name text) returns text
language plpgsql immutable as $$
declare
  v_known text[] := array['id', 'queue', 'tenant', 'priority', 'runAt', 'delayMs', 'deadline', 'tags', 'headers', 'uniqueKey', 'unique', 'onConflict', 'batch', 'limitKey', 'rateKey', 'policy', 'maxAttempts', 'idempotencyKey', 'correlationId', 'traceId'];
  v_option text;
  v_best text;
  v_least integer;
  v_distance integer;
  a text := translate(lower(p_name), '-_. ', '');
  b text;
  v_rows integer[];
  v_change integer;
begin
  if redrive.js_length(p_name) > 100 then
    return p_name || ' is unknown; known are ' || array_to_string(v_known, ', ');
  end if;
  foreach v_option in array v_known loop
    b := lower(v_option);
    -- Row i, column j: the edits from the first i characters to the first j ones.
    v_rows := array_fill(0, array[length(a) + 1, length(b) + 1], array[0, 0]);
    for i in 0..length(a) loop
      for j in 0..length(b) loop
        if i = 0 or j = 0 then
          v_rows[i][j] := i + j;
          continue;
        end if;
        v_change := case when substr(a, i, 1) = substr(b, j, 1) then 0 else 1 end;
        v_rows[i][j] := least(v_rows[i - 1][j - 1] + v_change, v_rows[i - 1][j] + 1, v_rows[i][j - 1] + 1);
        if v_change = 1 and i > 1 and j > 1 and substr(a, i, 1) = substr(b, j - 1, 1) and substr(a, i - 1, 1) = substr(b, j, 1) then
          v_rows[i][j] := least(v_rows[i][j], v_rows[i - 2][j - 2] + 1);
        end if;
      end loop;
    end loop;
    v_distance := v_rows[length(a)][length(b)];
    if v_distance <= greatest(1, greatest(length(p_name), length(v_option)) / 3) and v_distance < coalesce(v_least, v_distance + 1) then
      v_best := v_option;
      v_least := v_distance;
    end if;
  end loop;
  return p_name || ' is unknown' || coalesce(' (did you mean ' || v_best || '?)', '; known are ' || array_to_string(v_known, ', '));
end $$;

create or replace function redrive.job_problems(p_handler text, p_payload jsonb, p_options jsonb) returns text[]
language plpgsql stable as $$
declare
  problems text[] := '{}';
  v_unknown text;
  v_number jsonb;
  v_tenant text;
  v_id text;
  v_unique jsonb;
  v_tags jsonb;
  v_headers jsonb;
  v_length bigint;
  v_at bigint;
  v_each record;
begin
  for v_unknown in select key from jsonb_object_keys(p_options) as k(key) where key not in ('id', 'queue', 'tenant', 'priority', 'runAt', 'delayMs', 'deadline', 'tags', 'headers', 'uniqueKey', 'unique', 'onConflict', 'batch', 'limitKey', 'rateKey', 'policy', 'maxAttempts', 'idempotencyKey', 'correlationId', 'traceId') loop
    problems := problems || redrive.unknown_option(v_unknown);
  end loop;
  -- An option that is null was not given.
  p_options := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_options) where value <> 'null');

  if p_options ? 'priority' then
    -- In brackets: the condition of an if ends at the first "then" outside of them.
    if (case jsonb_typeof(p_options->'priority') when 'number' then (p_options->>'priority')::numeric not between -1000 and 1000 or (p_options->>'priority')::numeric <> trunc((p_options->>'priority')::numeric) else true end) then
      problems := problems || ('priority must be a whole number from -1000 to 1000, not ' || redrive.shown_value(p_options->'priority'));
    end if;
  end if;
  if p_options ? 'delayMs' then
    -- In brackets: the condition of an if ends at the first "then" outside of them.
    if (case jsonb_typeof(p_options->'delayMs') when 'number' then (p_options->>'delayMs')::numeric not between 0 and 315360000000 else true end) then
      problems := problems || ('delayMs must be a number from 0 to 315360000000, not ' || redrive.shown_value(p_options->'delayMs'));
    end if;
  end if;
  v_tags := case jsonb_typeof(p_options->'tags') when 'array' then p_options->'tags' else jsonb_build_array(p_options->'tags') end;
  if p_options ? 'tags' and jsonb_path_exists(v_tags, '$[*] ? (@.type() <> "string")') then
    problems := problems || ('tags must be a list of strings, not ' || redrive.shown_value(p_options->'tags'));
    v_tags := null;
  end if;
  if p_options ? 'onConflict' and p_options->'onConflict' not in ('"existing"', '"refuse"', '"replace"') then
    problems := problems || ('onConflict must be one of existing, refuse, replace, not ' || redrive.shown_value(p_options->'onConflict'));
  end if;
  if p_options ? 'maxAttempts' then
    -- In brackets: the condition of an if ends at the first "then" outside of them.
    if (case jsonb_typeof(p_options->'maxAttempts') when 'number' then (p_options->>'maxAttempts')::numeric not between 1 and 1000000000 or (p_options->>'maxAttempts')::numeric <> trunc((p_options->>'maxAttempts')::numeric) else true end) then
      problems := problems || ('maxAttempts must be a whole number from 1 to 1000000000, not ' || redrive.shown_value(p_options->'maxAttempts'));
    end if;
  end if;

  problems := problems || redrive.text_problem('handler', coalesce(to_jsonb(p_handler), 'null'), 200, false);
  select v into v_number from jsonb_path_query(p_payload,
    '$.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))') as v
    where case redrive.js_number(v) when 'Infinity' then true when '-Infinity' then true
      else redrive.js_number(v)::numeric <> v::text::numeric end limit 1;
  if v_number is not null then
    problems := problems || ('payload must be JSON or bytes: the number ' || left(v_number::text, 40)
      || ' would become ' || redrive.js_number(v_number) || '; pass large integers as strings');
  end if;

  problems := problems || redrive.text_problem('queue', p_options->'queue', 200, false);
  problems := problems || redrive.text_problem('tenant', p_options->'tenant', 200, true);
  if p_options ? 'id' then
    v_id := redrive.text_problem('id', p_options->'id', 200, false);
    if v_id is null and jsonb_typeof(coalesce(p_options->'tenant', '""')) = 'string'
        and redrive.text_problem('id', to_jsonb(redrive.callers_id(p_options->>'id', p_options->>'tenant')), 512, false) is not null then
      v_id := 'id and tenant together may have 512 characters; each colon and percent sign of the tenant counts three';
    end if;
    problems := problems || v_id;
    if p_options->'onConflict' = '"replace"' then
      problems := problems || 'onConflict cannot be replace together with id: the job that is replaced keeps its own id, so this one would be run again'::text;
    end if;
  end if;
  problems := problems || redrive.text_problem('uniqueKey', p_options->'uniqueKey', 512, false);
  v_unique := p_options->'unique';
  if jsonb_typeof(v_unique) <> 'object' then
    problems := problems || 'unique must be an object, { key, forMs }'::text;
  elsif v_unique is not null then
    for v_unknown in select key from jsonb_object_keys(v_unique) as k(key) where key not in ('key', 'forMs') loop
      problems := problems || ('unique.' || v_unknown || ' is unknown (unique is { key, forMs })');
    end loop;
    problems := problems || redrive.text_problem('unique.key', coalesce(v_unique->'key', 'null'), 512, false);
    if jsonb_typeof(v_unique->'forMs') is distinct from 'number'
        or (v_unique->>'forMs')::numeric < 1 or (v_unique->>'forMs')::numeric > 31622400000 then
      problems := problems || 'unique.forMs must be a number from 1 to 31622400000; for as long as the job is unfinished, use uniqueKey'::text;
    end if;
    if p_options ? 'uniqueKey' then
      problems := problems || 'unique cannot be given together with uniqueKey'::text;
    end if;
  end if;
  problems := problems || coalesce(redrive.text_problem('batch', p_options->'batch', 200, false),
    case when p_options->>'batch' ~ '["\\]' then 'batch must not have quotes or backslashes' end);
  problems := problems || redrive.text_problem('limitKey', p_options->'limitKey', 512, false);
  problems := problems || redrive.text_problem('rateKey', p_options->'rateKey', 512, false);
  if jsonb_typeof(p_options->'policy') = 'object' then
    problems := problems || 'policy cannot be written out for add_job, which cannot check it: give its name and maxAttempts, or use jobs.enqueue'::text;
  else
    problems := problems || redrive.text_problem('policy', p_options->'policy', 200, false);
  end if;
  problems := problems || redrive.text_problem('idempotencyKey', p_options->'idempotencyKey', 512, false);
  problems := problems || redrive.text_problem('correlationId', p_options->'correlationId', 512, false);
  problems := problems || redrive.text_problem('traceId', p_options->'traceId', 512, false);
  for v_each in select f.field from unnest(array['runAt', 'deadline']) as f(field)
      where p_options ? f.field and redrive.time_ms(p_options->f.field) is null loop
    problems := problems || (v_each.field || ' must be a valid Date');
  end loop;
  if p_options ? 'runAt' and p_options ? 'delayMs' then
    problems := problems || 'delayMs cannot be given together with runAt'::text;
  end if;

  if p_options ? 'tags' and jsonb_array_length(v_tags) > 32 then
    problems := problems || ('tags may be at most 32, not ' || jsonb_array_length(v_tags));
  elsif p_options ? 'tags' then
    for v_each in select value, ord - 1 as at from jsonb_array_elements(v_tags) with ordinality as t(value, ord) loop
      problems := problems || redrive.text_problem(format('tags[%s]', v_each.at), v_each.value, 100, false);
    end loop;
  end if;
  v_headers := coalesce(p_options->'headers', '{}');
  if jsonb_typeof(v_headers) <> 'object' then
    return problems || 'headers must be an object of texts'::text;
  end if;
  select count(*), coalesce(sum(redrive.js_length(key) + redrive.js_length(value)), 0) into v_at, v_length from jsonb_each_text(v_headers);
  if v_at > 64 then
    return problems || ('headers may be at most 64, not ' || v_at);
  elsif v_length > 16384 then
    return problems || ('headers may have 16384 characters together, not ' || v_length);
  end if;
  for v_each in select key, value from jsonb_each(v_headers) loop
    problems := problems || redrive.text_problem('headers', to_jsonb(v_each.key), 200, false);
    problems := problems || redrive.text_problem('headers.' || v_each.key, v_each.value, 16384, true);
    if v_each.key !~* '^(traceparent|tracestate|b3|x-b3-[a-z0-9_]+|x-(request|correlation|amzn-trace|cloud-trace-context)(-id)?|redrive-[a-z0-9_-]+|etag|content-(digest|md5))$' then
      problems := problems || ('headers.' || v_each.key || ' cannot be given to add_job, which cannot mask the secrets in it: put it into the payload, or use jobs.enqueue');
    end if;
  end loop;
  return problems;
end $$;
