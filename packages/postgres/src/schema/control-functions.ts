import { MAX_CONTROLS } from '@redrive/durable/store';
import { joinRecords, RECORD_SEPARATOR } from './audit-sql.ts';
import { NOW } from './now.ts';
import { UNPARK } from './upkeep-functions.ts';

/** A lock that every claim shares until its commit. A command that engages a kill switch takes it alone. */
export const KILL_LOCK = (s: string): string =>
  `hashtextextended('${s.replaceAll('"', '')} kill', 13)`;

/**
 * A kill switch waits this long for claims that are under way. A claim that takes longer hangs: its process is stopped, or
 * does not read its socket. The switch is engaged all the same; that process sees it before it starts a job.
 */
const CLAIMS_END_MS = 500;

/** Stands for a kind of documents: a release of the jobs whose turn it is. */
export const IN_TURN = 'in turn';

/** Parked jobs of a cause, in the order of a release. */
const FIRST = (s: string): string => `
          select d.seq from ${s}.jobs d
          where d.state = 'parked' and d.cause = p_cause and d.audit_block <= coalesce(p_seq, 9223372036854775807)
          order by d.priority desc, d.due_at, d.id limit p_limit for update skip locked`;

/**
 * By due time, whatever their priority: the first of each priority, and of them the first, because the index is by
 * priority. There are few priorities, and a probe is rare. Ten more are looked at, because other transactions may have locked some.
 */
const FIRST_IN_TURN = (s: string): string => `
          select d.seq from ${s}.jobs d
          where d.state = 'parked' and d.cause = p_cause and d.audit_block <= coalesce(p_seq, 9223372036854775807)
            and d.seq = any(array(
              with recursive priorities as (
                select max(j.priority) as priority from ${s}.jobs j where j.state = 'parked' and j.cause = p_cause
                union all
                select (select max(j.priority) from ${s}.jobs j
                  where j.state = 'parked' and j.cause = p_cause and j.priority < p.priority)
                from priorities p where p.priority is not null
              )
              select f.seq from priorities p cross join lateral (
                select j.seq, j.due_at, j.id from ${s}.jobs j
                where j.state = 'parked' and j.cause = p_cause and j.priority = p.priority
                order by j.due_at, j.id limit p_limit + 10) f
              order by f.due_at, f.id limit p_limit + 10))
          order by d.due_at, d.id limit p_limit for update skip locked`;

/**
 * Makes parked jobs of a cause ready, due or not. Jobs that another transaction has locked, or has changed since this step
 * drew its number, stay parked.
 */
const releaseFunction = (s: string, name: string, first: string): string => `
    create or replace function ${s}.${name}(
      p_now bigint, p_seq bigint, p_cause text, p_limit integer, p_detail text,
      out released integer, out more boolean, out records text)
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
    begin
      with changed as (
        update ${s}.jobs j set ${UNPARK.set}
        where j.seq = any(array(${first}))
        returning ${UNPARK.record} as record
      )
      select count(*), string_agg(c.record, ${RECORD_SEPARATOR}) into released, records from changed c;
      more := exists (select from ${s}.jobs j where j.state = 'parked' and j.cause = p_cause);
    end $$;`;

/** Changes of control documents, and the release of parked jobs. */
export function controlFunctions(s: string): string {
  return `
    create or replace function ${s}.rise(p_more_documents integer) returns bigint
    language plpgsql volatile as $$
    declare
      v_revision bigint;
    begin
      update ${s}.control_revision r set revision = r.revision + 1, documents = r.documents + p_more_documents
      returning r.revision into v_revision;
      return v_revision;
    end $$;

    -- Writes again which jobs may not be claimed. The caller has locked the revision.
    create or replace function ${s}.write_stops() returns void
    language plpgsql volatile as $$
    declare
      -- A claim treats a pause like a kill switch.
      v_killed text[] := array(
        select distinct regexp_replace(c.key, '^pause:(queue|operation):', '\\1:') from ${s}.controls c where c.kind = 'kill');
    begin
      update ${s}.stops set
        queues = array(select substr(k.key, 7) from unnest(v_killed) as k(key) where starts_with(k.key, 'queue:')),
        handlers = array(select substr(k.key, 11) from unnest(v_killed) as k(key) where starts_with(k.key, 'operation:')),
        tenants = array(select substr(k.key, 8) from unnest(v_killed) as k(key) where starts_with(k.key, 'tenant:')),
        everything = 'all' = any(v_killed);
    end $$;

    -- Writes a document, or takes it away, if it is still at a revision.
    create or replace function ${s}.control(
      p_kind text, p_key text, p_expect bigint, p_document text, out revision bigint, out refusal text)
    language plpgsql volatile as $$
    declare
      v_lock_timeout text := current_setting('lock_timeout');
      v_before bigint;
      v_documents integer;
    begin
      if p_kind = 'kill' and p_document is not null then
        -- A claim that has read the switches before this is committed must be committed before it too.
        perform set_config('lock_timeout', '${CLAIMS_END_MS}', true);
        begin
          perform pg_advisory_xact_lock(${KILL_LOCK(s)});
        exception when lock_not_available then null;
        end;
        perform set_config('lock_timeout', v_lock_timeout, true);
      end if;
      select r.documents into v_documents from ${s}.control_revision r for update;
      select c.revision into v_before from ${s}.controls c where c.kind = p_kind and c.key = p_key;
      if coalesce(v_before, 0) <> p_expect then
        refusal := 'changed';
        return;
      elsif v_before is null and p_document is not null and v_documents >= ${MAX_CONTROLS}
        and (select count(*) from ${s}.controls c where c.kind = p_kind) >= ${MAX_CONTROLS} then
        refusal := 'full';
        return;
      end if;
      revision := ${s}.rise((p_document is not null)::integer - (v_before is not null)::integer);
      if p_document is null then
        delete from ${s}.controls c where c.kind = p_kind and c.key = p_key;
      elsif v_before is null then
        insert into ${s}.controls values (p_kind, p_key, revision, p_document);
      else
        update ${s}.controls c set revision = control.revision, document = p_document
        where c.kind = p_kind and c.key = p_key;
      end if;
      if p_kind = 'kill' then
        perform ${s}.write_stops();
      end if;
    end $$;

${releaseFunction(s, 'release_parked', FIRST(s))}
    ${releaseFunction(s, 'release_in_turn', FIRST_IN_TURN(s))}

    -- Any number of both, in their order, with an audit block: one statement, so that no process can stop in the middle of
    -- it and keep others waiting. Where there is no kind it is a release, of the cause that the key is; '${IN_TURN}': one in turn. For p_seq and
    -- p_writer see the function step.
    create or replace function ${s}.control_step(
      p_now bigint, p_seq bigint, p_writer text, p_kinds text[], p_keys text[], p_expects bigint[], p_documents text[],
      p_notes text[], p_limits integer[])
    returns table (revision bigint, refusal text, released integer, more boolean, records text)
    language plpgsql volatile as $$
    declare
      c record;
      v_records text;
    begin
      if p_writer is not null then
        p_seq := nextval('${s}.audit_seq');
      end if;
      for c in
        select * from unnest(p_kinds, p_keys, p_expects, p_documents, p_notes, p_limits)
          as u(kind, key, expect, document, note, max)
      loop
        revision := null;
        refusal := null;
        released := null;
        more := null;
        records := null;
        if c.kind is null then
          select r.released, r.more, r.records into released, more, records
          from ${s}.release_parked(p_now, p_seq, c.key, c.max, c.note) r;
        elsif c.kind = '${IN_TURN}' then
          select r.released, r.more, r.records into released, more, records
          from ${s}.release_in_turn(p_now, p_seq, c.key, c.max, c.note) r;
        else
          select r.revision, r.refusal into revision, refusal
          from ${s}.control(c.kind, c.key, c.expect, c.document) r;
          if refusal is null and c.note is not null and p_seq is not null then
            records := ${s}.note(p_now, 'control', concat(c.kind, ':', c.key), c.note);
          end if;
        end if;
        v_records := ${joinRecords('v_records', 'records')};
        if p_writer is not null then
          records := null;
        end if;
        return next;
      end loop;
      if v_records <> '' and p_writer is not null then
        perform ${s}.write_block(p_seq, ${NOW}, p_writer, v_records);
      end if;
    end $$;`;
}
