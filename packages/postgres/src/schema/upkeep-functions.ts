import { EXPIRED_GROUP, HOOK_DIGEST, HOOK_PREFIX } from '@redrive/durable/store';
import { joinRecords, RECORD_SEPARATOR } from './audit-sql.ts';
import { NEW_JOB_COLUMNS, type NewJobColumn } from './enqueue-function.ts';
import { NOW } from './now.ts';
import { moveSql, setSql, transitionRecordSql } from './transition-sql.ts';

/** An update of parked jobs, and its record. */
export const UNPARK = {
  set: setSql('unpark', { of: 'j' }),
  record: transitionRecordSql('unpark', { of: 'j' }, { detail: 'p_detail', written: true }),
};

/** The record of jobs that were deleted, and stand in `g` now. */
export const deletedRecordSql = (name: 'expire' | 'prune'): string =>
  transitionRecordSql(
    name,
    { of: 'g' },
    {
      from: "(case when g.state = 'held' then 'ready' else g.state::text end)",
      detail: 'p_detail',
    },
  );

/** A member of an object in JSON, where the value is not null. */
const member = (name: string, json: string): string =>
  `coalesce(',"${name}":' || to_json(${json})::text, '')`;

/** What `hookOf` makes of a job that has died: its detail, its other fields, and its payload. */
const HOOK: Readonly<Partial<Record<NewJobColumn, string>>> = {
  id: 'array[v_hook.id]',
  handler: 'array[v_hook.handler]',
  queue: 'array[v_hook.queue]',
  tenant: 'array[v_hook.tenant]',
  detail: `left(p_detail, -1) || ',"handler":' || to_json(v_hook.handler) || ',"queue":' || to_json(v_hook.queue)
          || ${member('tenant', 'v_hook.tenant')} || ${member('correlation', 'v_hook.correlation')}
          || ${member('trace', 'v_hook.trace')} || ${member('parent', 'v_hook.parent')} || '}'`,
  spec: `'{"parentId":' || to_json(v_hook.parent) || ${member('correlationId', 'v_hook.correlation')}
          || ${member('traceId', 'v_hook.trace')} || ',"digest":"${HOOK_DIGEST}"}'`,
  payload: `'{"dead_letter":' || to_json(v_hook.parent) || ',"generation":' || v_hook.generation || '}'`,
};

/** Enqueues the hooks of jobs that have died. */
function enqueueHooksSql(s: string): string {
  const named = NEW_JOB_COLUMNS.map(([name]) => `n_${name} => ${HOOK[name] ?? 'null'}`);
  return `for v_hook in
        select '${HOOK_PREFIX}' || (h->>'generation') || ':' || (h->>'id') as id, h->>'id' as parent, h->>'generation' as generation,
          h->'spec'->>'onDead' as handler, h->>'queue' as queue, nullif(h->>'tenant', '') as tenant,
          coalesce(h->'spec'->>'correlationId', h->>'session') as correlation, h->'spec'->>'traceId' as trace
        from json_array_elements(v_hooks) as h where h->'spec'->>'onDead' is not null
      loop
        v_enqueued := ${s}.enqueue(p_now, p_seq, ${named.join(', ')});
        records := ${joinRecords('records', 'v_enqueued.records')};
      end loop;`;
}

/** The changes that time alone brings: due jobs become ready, parked ones are released, late ones die. */
export function tickFunction(s: string): string {
  return `
    create or replace function ${s}.tick(
      p_now bigint, p_seq bigint, p_limit integer, p_detail text,
      out promoted integer, out released integer, out expired integer, out lanes text, out records text)
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      v_handlers text[];
      v_keys text[];
      v_tenants text[];
      v_records text;
      v_hooks json;
      v_hook record;
      v_enqueued record;
    begin
      promoted := ${s}.promote(v_now, p_limit);

      with changed as (
        update ${s}.jobs j set ${UNPARK.set}
        where j.seq = any(array(
          select d.seq from ${s}.jobs d where d.state = 'parked' and d.due_at <= v_now
          order by d.due_at limit p_limit for update skip locked))
        returning ${UNPARK.record} as record
      )
      select count(*), string_agg(c.record, ${RECORD_SEPARATOR}) into released, records from changed c;

      with gone as (
        delete from ${s}.jobs where seq = any(array(
          select d.seq from ${s}.jobs d where d.deadline <= v_now and d.lease_since is null
          order by d.deadline limit p_limit for update skip locked))
        returning *
      ), kept as (
        ${moveSql('expire', { of: 'g' }, `${s}.finished`)}
        from gone g
      )
      select count(*), string_agg(${deletedRecordSql('expire')}, ${RECORD_SEPARATOR}),
        array_agg(g.handler) filter (where g.state = 'ready' and g.limit_key is not null),
        array_agg(g.limit_key) filter (where g.state = 'ready' and g.limit_key is not null),
        array_agg(g.tenant) filter (where g.state = 'ready' and g.limit_key is not null),
        (select json_agg(json_build_array(l.handler, l.queue, l.count))::text
          from (select e.handler, e.queue, count(*) as count from gone e group by 1, 2) l),
        json_agg(json_build_object('id', g.id, 'generation', g.generation, 'queue', g.queue, 'tenant', g.tenant,
          'session', coalesce(g.session_id, g.id), 'spec', g.spec::json)) filter (where g.spec like '%"onDead":%')
      into expired, v_records, v_handlers, v_keys, v_tenants, lanes, v_hooks from gone g;
      records := ${joinRecords('records', 'v_records')};
      ${enqueueHooksSql(s)}
      if expired > 0 then
        perform ${s}.keep_groups(array['${EXPIRED_GROUP.fingerprint}'], array['${EXPIRED_GROUP.pattern}']);
      end if;
      if v_keys is not null then
        perform ${s}.release_held(v_handlers, v_keys, v_tenants);
      end if;

      -- Held jobs of a key without a lease are released, whatever error has left them held.
      with recursive held as (
        select (select j.handler from ${s}.jobs j where j.state = 'held' and j.limit_key is not null order by j.handler limit 1) as handler
        union all
        select (select j.handler from ${s}.jobs j where j.state = 'held' and j.limit_key is not null and j.handler > h.handler order by j.handler limit 1)
        from held h where h.handler is not null
      )
      select array_agg(h.handler) into v_handlers from held h where h.handler is not null;
      if v_handlers is not null then
        perform ${s}.release_free_keys(v_handlers, array_fill(1, array[cardinality(v_handlers)]));
      end if;
    end $$;`;
}

/**
 * A tick by itself, in one statement with its audit block. Mostly nothing is due: then nothing is written, and there is
 * nothing to commit.
 */
export function tickStepFunction(s: string): string {
  return `
    create or replace function ${s}.tick_step(
      p_now bigint, p_writer text, p_limit integer, p_detail text,
      out promoted integer, out released integer, out expired integer, out lanes text, out due boolean)
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      v_seq bigint;
      v_ticked record;
    begin
      if not exists (select from ${s}.jobs j where j.state = 'scheduled' and j.due_at <= v_now)
        and not exists (select from ${s}.jobs j where j.state = 'parked' and j.due_at <= v_now)
        and not exists (select from ${s}.jobs j where j.deadline <= v_now and j.lease_since is null)
        and not exists (select from ${s}.jobs j where j.state = 'held' and j.limit_key is not null) then
        promoted := 0;
        released := 0;
        expired := 0;
        due := false;
        return;
      end if;
      due := true;
      if p_writer is not null then
        v_seq := nextval('${s}.audit_seq');
      end if;
      v_ticked := ${s}.tick(p_now, v_seq, p_limit, p_detail);
      if v_ticked.records <> '' and p_writer is not null then
        perform ${s}.write_block(v_seq, ${NOW}, p_writer, v_ticked.records);
      end if;
      promoted := v_ticked.promoted;
      released := v_ticked.released;
      expired := v_ticked.expired;
      lanes := v_ticked.lanes;
    end $$;`;
}

/** A record that is not a transition of a job. */
export function noteFunction(s: string): string {
  return `
    create or replace function ${s}.note(p_now bigint, p_event text, p_subject text, p_detail text) returns text
    language sql volatile as $$
      select concat('[', to_json(p_subject)::text, ',0,"', p_event, '",null,null,', ${NOW}, ',0,0,0,0,', p_detail, ']')
    $$;`;
}
