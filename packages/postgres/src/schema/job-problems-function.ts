import { ENQUEUE_RULES } from '@redrive/durable/store';

const {
  options,
  maxNameLength,
  maxKeyLength,
  maxDelayMs,
  maxAttempts,
  maxTags,
  maxTagLength,
  maxHeaders,
  maxHeadersLength,
  maxUniqueForMs,
} = ENQUEUE_RULES;

const texts = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** A line that adds the problem of a text, if it has one. */
const checkText = (s: string, field: string, value: string, max: number, empty = false): string =>
  `problems := problems || ${s}.text_problem('${field}', ${value}, ${max}, ${empty});`;

const option = (name: string): string => `p_options->'${name}'`;

/** Headers that are stored as they are. `redactHeaders` masks secrets in all others, which SQL cannot. */
const PLAIN_HEADER =
  '^(traceparent|tracestate|b3|x-b3-[a-z0-9_]+|x-(request|correlation|amzn-trace|cloud-trace-context)(-id)?|redrive-[a-z0-9_-]+|etag|content-(digest|md5))$';

/** A time with its offset, as `to_jsonb(now())` and `toISOString()` write it. */
const TIME = '^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d(:?\\d\\d)?)$';

/**
 * The checks of `jobs.enqueue` for the options of `add_job`, with the same texts: a test compares them. A time is an ISO
 * text, because JSON has no dates.
 */
export function jobProblemsFunction(s: string): string {
  return `
    ${helpers(s)}

    create or replace function ${s}.job_problems(p_handler text, p_payload jsonb, p_options jsonb) returns text[]
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
      for v_unknown in select key from jsonb_object_keys(p_options) as k(key) where key not in (${texts(options)}) loop
        problems := problems || ${s}.unknown_option(v_unknown);
      end loop;
      -- An option that is null was not given.
      p_options := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_options) where value <> 'null');

      ${numberCheck(s, 'priority', 'a whole number', -1_000, 1_000)}
      ${numberCheck(s, 'delayMs', 'a number', 0, maxDelayMs)}
      v_tags := case jsonb_typeof(${option('tags')}) when 'array' then ${option('tags')} else jsonb_build_array(${option('tags')}) end;
      if p_options ? 'tags' and jsonb_path_exists(v_tags, '$[*] ? (@.type() <> "string")') then
        problems := problems || ('tags must be a list of strings, not ' || ${s}.shown_value(${option('tags')}));
        v_tags := null;
      end if;
      if p_options ? 'onConflict' and ${option('onConflict')} not in ('"existing"', '"refuse"', '"replace"') then
        problems := problems || ('onConflict must be one of existing, refuse, replace, not ' || ${s}.shown_value(${option('onConflict')}));
      end if;
      ${numberCheck(s, 'maxAttempts', 'a whole number', 1, maxAttempts)}

      ${checkText(s, 'handler', "coalesce(to_jsonb(p_handler), 'null')", maxNameLength)}
      select v into v_number from jsonb_path_query(p_payload,
        '$.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))') as v
        where case ${s}.js_number(v) when 'Infinity' then true when '-Infinity' then true
          else ${s}.js_number(v)::numeric <> v::text::numeric end limit 1;
      if v_number is not null then
        problems := problems || ('payload must be JSON or bytes: the number ' || left(v_number::text, 40)
          || ' would become ' || ${s}.js_number(v_number) || '; pass large integers as strings');
      end if;

      ${checkText(s, 'queue', option('queue'), maxNameLength)}
      ${checkText(s, 'tenant', option('tenant'), maxNameLength, true)}
      if p_options ? 'id' then
        v_id := ${s}.text_problem('id', ${option('id')}, ${maxNameLength}, false);
        if v_id is null and jsonb_typeof(coalesce(${option('tenant')}, '""')) = 'string'
            and ${s}.text_problem('id', to_jsonb(${s}.callers_id(p_options->>'id', p_options->>'tenant')), ${maxKeyLength}, false) is not null then
          v_id := 'id and tenant together may have ${maxKeyLength} characters; each colon and percent sign of the tenant counts three';
        end if;
        problems := problems || v_id;
        if ${option('onConflict')} = '"replace"' then
          problems := problems || 'onConflict cannot be replace together with id: the job that is replaced keeps its own id, so this one would be run again'::text;
        end if;
      end if;
      ${checkText(s, 'uniqueKey', option('uniqueKey'), maxKeyLength)}
      v_unique := ${option('unique')};
      if jsonb_typeof(v_unique) <> 'object' then
        problems := problems || 'unique must be an object, { key, forMs }'::text;
      elsif v_unique is not null then
        for v_unknown in select key from jsonb_object_keys(v_unique) as k(key) where key not in ('key', 'forMs') loop
          problems := problems || ('unique.' || v_unknown || ' is unknown (unique is { key, forMs })');
        end loop;
        ${checkText(s, 'unique.key', "coalesce(v_unique->'key', 'null')", maxKeyLength)}
        if jsonb_typeof(v_unique->'forMs') is distinct from 'number'
            or (v_unique->>'forMs')::numeric < 1 or (v_unique->>'forMs')::numeric > ${maxUniqueForMs} then
          problems := problems || 'unique.forMs must be a number from 1 to ${maxUniqueForMs}; for as long as the job is unfinished, use uniqueKey'::text;
        end if;
        if p_options ? 'uniqueKey' then
          problems := problems || 'unique cannot be given together with uniqueKey'::text;
        end if;
      end if;
      problems := problems || coalesce(${s}.text_problem('batch', ${option('batch')}, ${maxNameLength}, false),
        case when p_options->>'batch' ~ '["\\\\]' then 'batch must not have quotes or backslashes' end);
      ${checkText(s, 'limitKey', option('limitKey'), maxKeyLength)}
      ${checkText(s, 'rateKey', option('rateKey'), maxKeyLength)}
      if jsonb_typeof(${option('policy')}) = 'object' then
        problems := problems || 'policy cannot be written out for add_job, which cannot check it: give its name and maxAttempts, or use jobs.enqueue'::text;
      else
        ${checkText(s, 'policy', option('policy'), maxNameLength)}
      end if;
      ${checkText(s, 'idempotencyKey', option('idempotencyKey'), maxKeyLength)}
      ${checkText(s, 'correlationId', option('correlationId'), maxKeyLength)}
      ${checkText(s, 'traceId', option('traceId'), maxKeyLength)}
      for v_each in select f.field from unnest(array['runAt', 'deadline']) as f(field)
          where p_options ? f.field and ${s}.time_ms(p_options->f.field) is null loop
        problems := problems || (v_each.field || ' must be a valid Date');
      end loop;
      if p_options ? 'runAt' and p_options ? 'delayMs' then
        problems := problems || 'delayMs cannot be given together with runAt'::text;
      end if;

      if p_options ? 'tags' and jsonb_array_length(v_tags) > ${maxTags} then
        problems := problems || ('tags may be at most ${maxTags}, not ' || jsonb_array_length(v_tags));
      elsif p_options ? 'tags' then
        for v_each in select value, ord - 1 as at from jsonb_array_elements(v_tags) with ordinality as t(value, ord) loop
          problems := problems || ${s}.text_problem(format('tags[%s]', v_each.at), v_each.value, ${maxTagLength}, false);
        end loop;
      end if;
      v_headers := coalesce(${option('headers')}, '{}');
      if jsonb_typeof(v_headers) <> 'object' then
        return problems || 'headers must be an object of texts'::text;
      end if;
      select count(*), coalesce(sum(${s}.js_length(key) + ${s}.js_length(value)), 0) into v_at, v_length from jsonb_each_text(v_headers);
      if v_at > ${maxHeaders} then
        return problems || ('headers may be at most ${maxHeaders}, not ' || v_at);
      elsif v_length > ${maxHeadersLength} then
        return problems || ('headers may have ${maxHeadersLength} characters together, not ' || v_length);
      end if;
      for v_each in select key, value from jsonb_each(v_headers) loop
        ${checkText(s, 'headers', 'to_jsonb(v_each.key)', maxNameLength)}
        problems := problems || ${s}.text_problem('headers.' || v_each.key, v_each.value, ${maxHeadersLength}, true);
        if v_each.key !~* '${PLAIN_HEADER}' then
          problems := problems || ('headers.' || v_each.key || ' cannot be given to add_job, which cannot mask the secrets in it: put it into the payload, or use jobs.enqueue');
        end if;
      end loop;
      return problems;
    end $$;`;
}

function numberCheck(
  s: string,
  name: string,
  kind: 'a whole number' | 'a number',
  min: number,
  max: number,
): string {
  const whole =
    kind === 'a number'
      ? ''
      : ` or (p_options->>'${name}')::numeric <> trunc((p_options->>'${name}')::numeric)`;
  return `if p_options ? '${name}' then
        -- In brackets: the condition of an if ends at the first "then" outside of them.
        if (case jsonb_typeof(${option(name)}) when 'number' then (p_options->>'${name}')::numeric not between ${min} and ${max}${whole} else true end) then
          problems := problems || ('${name} must be ${kind} from ${min} to ${max}, not ' || ${s}.shown_value(${option(name)}));
        end if;
      end if;`;
}

/** What JavaScript knows of texts and numbers, and Postgres does not. */
function helpers(s: string): string {
  return `create or replace function ${s}.js_length(p_text text) returns integer
    language sql immutable as $$
      -- JavaScript counts a character beyond the first 2^16 as two.
      select char_length(p_text) + char_length(regexp_replace(p_text, '[^\\U00010000-\\U0010FFFF]', '', 'g'));
    $$;

    create or replace function ${s}.js_number(p_number jsonb) returns text
    language plpgsql immutable set extra_float_digits = 1 as $$
    declare
      v_text text;
      v_number numeric;
      v_short numeric;
    begin
      v_text := (p_number #>> '{}')::float8::text;
      if abs(v_text::float8) >= 1e21 or (abs(v_text::float8) < 1e-6 and v_text <> '0') then
        return regexp_replace(v_text, 'e([+-])0*', 'e\\1');
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

    create or replace function ${s}.shown_value(p_value jsonb) returns text
    language sql immutable as $$
      select case jsonb_typeof(p_value)
        when 'string' then 'the string ' || to_json(left(p_value #>> '{}', 100))
        when 'number' then ${s}.js_number(p_value)
        when 'array' then 'an array'
        when 'object' then 'an object'
        else p_value::text end;
    $$;

    create or replace function ${s}.text_problem(p_field text, p_value jsonb, p_max integer, p_empty boolean) returns text
    language plpgsql immutable as $$
    declare
      v_type text := jsonb_typeof(p_value);
      v_text text := p_value #>> '{}';
    begin
      if v_type <> 'string' then
        return p_field || ' must be a text, not a value of type ' || case when v_type in ('array', 'null') then 'object' else v_type end;
      elsif v_text = '' and not p_empty then
        return p_field || ' must not be empty';
      elsif ${s}.js_length(v_text) > p_max then
        return p_field || ' must have at most ' || p_max || ' characters, not ' || ${s}.js_length(v_text);
      elsif v_text ~ '[\\u0001-\\u001f\\u007f-\\u009f]' then
        return p_field || ' must not have control characters';
      end if;
      return null;
    end $$;

    create or replace function ${s}.time_ms(p_value jsonb) returns bigint
    language plpgsql stable as $$
    begin
      if jsonb_typeof(p_value) = 'string' and p_value #>> '{}' ~ '${TIME}' then
        return ceil(extract(epoch from (p_value #>> '{}')::timestamptz) * 1000);
      end if;
      return null;
    exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
      return null;
    end $$;

    create or replace function ${s}.callers_id(p_id text, p_tenant text) returns text
    language sql immutable as $$
      select 'id:' || replace(replace(coalesce(p_tenant, ''), '%', '%25'), ':', '%3A') || ':' || p_id;
    $$;

    create or replace function ${s}.unknown_option(p_name text) returns text
    language plpgsql immutable as $$
    declare
      v_known text[] := array[${texts(options)}];
      v_option text;
      v_best text;
      v_least integer;
      v_distance integer;
      a text := translate(lower(p_name), '-_. ', '');
      b text;
      v_rows integer[];
      v_change integer;
    begin
      if ${s}.js_length(p_name) > 100 then
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
    end $$;`;
}
