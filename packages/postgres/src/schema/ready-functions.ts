import { setSql } from './transition-sql.ts';

/** A ready job of a handler and a queue at the priority that is looked at. */
export const READY = (of: string) =>
  `j.state = 'ready' and j.handler = ${of}.handler and j.queue = ${of}.queue and j.priority = v_priority`;

/** Makes due jobs ready. Physical: no record, no token. */
export function promoteFunction(s: string): string {
  return `
    create or replace function ${s}.promote(p_now bigint, p_limit integer) returns integer
    language plpgsql volatile as $$
    declare
      v_count integer;
    begin
      update ${s}.jobs j set ${setSql('promote', { of: 'j' })} where j.seq = any(array(
        select d.seq from ${s}.jobs d where d.state = 'scheduled' and d.due_at <= p_now
        order by d.due_at limit p_limit for update skip locked));
      get diagnostics v_count = row_count;
      return v_count;
    end $$;`;
}

/** The pairs of a claim's handlers and of queues that have ready jobs, with the number of the handler. */
export function openLanesFunction(s: string): string {
  return `
    create or replace function ${s}.open_lanes(
      p_handlers text[], p_queues text[], p_paused_handlers text[], p_paused_queues text[],
      out lanes integer[], out handlers text[], out queues text[])
    language plpgsql volatile as $$
    begin
      with recursive pairs as (
        select l.lane::integer as lane, l.handler, (
          select j.queue from ${s}.jobs j where j.state = 'ready' and j.handler = l.handler
          order by j.queue limit 1) as queue
        from unnest(p_handlers) with ordinality as l(handler, lane) where l.handler <> all(p_paused_handlers)
        union all
        select p.lane, p.handler, (
          select j.queue from ${s}.jobs j where j.state = 'ready' and j.handler = p.handler and j.queue > p.queue
          order by j.queue limit 1)
        from pairs p where p.queue is not null
      )
      select array_agg(p.lane), array_agg(p.handler), array_agg(p.queue) into lanes, handlers, queues
      from pairs p
      where p.queue is not null and p.queue <> all(p_paused_queues) and (p_queues is null or p.queue = any(p_queues));
    end $$;`;
}

/**
 * The tenants at a priority, in code point order: at most `p_limit` after (or from) one, up to (and with) another, without
 * those that a kill switch stops.
 */
export function tenantsFunction(s: string): string {
  return `
    create or replace function ${s}.tenants_to_serve(
      p_handlers text[], p_queues text[], v_priority integer, p_after text, p_inclusive boolean, p_until text,
      p_limit integer, p_killed text[])
    returns text[] language plpgsql volatile as $$
    declare
      v_tenants text[];
    begin
      -- Jumps from tenant to tenant through the index, so the cost follows the tenants and not their jobs.
      with recursive turns as (
        select p.handler, p.queue, 0 as served, case when p_inclusive
          then (select j.tenant from ${s}.jobs j where ${READY('p')} and j.tenant >= p_after order by j.tenant limit 1)
          else (select j.tenant from ${s}.jobs j where ${READY('p')} and j.tenant > p_after order by j.tenant limit 1)
          end as tenant
        from unnest(p_handlers, p_queues) as p(handler, queue)
        union all
        select t.handler, t.queue, t.served + (t.tenant <> all(p_killed))::integer,
          (select j.tenant from ${s}.jobs j where ${READY('t')} and j.tenant > t.tenant order by j.tenant limit 1)
        from turns t where t.tenant is not null and t.served < p_limit
      )
      select array_agg(d.tenant) into v_tenants from (
        select distinct t.tenant collate "C" as tenant from turns t
        where t.tenant is not null and (p_until is null or t.tenant collate "C" <= p_until)
          and t.tenant <> all(p_killed)
        order by 1 limit p_limit) d;
      return v_tenants;
    end $$;

    -- The same in turn: tenants after (or from) p_from, then the others from the start. Null: from the start.
    create or replace function ${s}.tenants_in_turn(
      p_handlers text[], p_queues text[], v_priority integer, p_from text, p_inclusive boolean, p_limit integer,
      p_killed text[])
    returns text[] language plpgsql volatile as $$
    declare
      v_tenants text[] := ${s}.tenants_to_serve(
        p_handlers, p_queues, v_priority, coalesce(p_from, ''), p_from is null or p_inclusive, null, p_limit, p_killed);
    begin
      if p_from is not null and coalesce(cardinality(v_tenants), 0) < p_limit then
        v_tenants := v_tenants || (
          select array_agg(t.tenant) from unnest(${s}.tenants_to_serve(
            p_handlers, p_queues, v_priority, '', true, p_from, p_limit - coalesce(cardinality(v_tenants), 0),
            p_killed)) as t(tenant) where not p_inclusive or t.tenant <> p_from);
      end if;
      return v_tenants;
    end $$;`;
}
