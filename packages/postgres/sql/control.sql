-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.rise(p_more_documents integer) returns bigint
language plpgsql volatile as $$
declare
  v_revision bigint;
begin
  update redrive.control_revision r set revision = r.revision + 1, documents = r.documents + p_more_documents
  returning r.revision into v_revision;
  return v_revision;
end $$;

-- Writes again which jobs may not be claimed. The caller has locked the revision.
create or replace function redrive.write_stops() returns void
language plpgsql volatile as $$
declare
  -- A claim treats a pause like a kill switch.
  v_killed text[] := array(
    select distinct regexp_replace(c.key, '^pause:(queue|operation):', '\1:') from redrive.controls c where c.kind = 'kill');
begin
  update redrive.stops set
    queues = array(select substr(k.key, 7) from unnest(v_killed) as k(key) where starts_with(k.key, 'queue:')),
    handlers = array(select substr(k.key, 11) from unnest(v_killed) as k(key) where starts_with(k.key, 'operation:')),
    tenants = array(select substr(k.key, 8) from unnest(v_killed) as k(key) where starts_with(k.key, 'tenant:')),
    everything = 'all' = any(v_killed);
end $$;

-- Writes a document, or takes it away, if it is still at a revision.
create or replace function redrive.control(
  p_kind text, p_key text, p_expect bigint, p_document text, out revision bigint, out refusal text)
language plpgsql volatile as $$
declare
  v_lock_timeout text := current_setting('lock_timeout');
  v_before bigint;
  v_documents integer;
begin
  if p_kind = 'kill' and p_document is not null then
    -- A claim that has read the switches before this is committed must be committed before it too.
    perform set_config('lock_timeout', '500', true);
    begin
      perform pg_advisory_xact_lock(hashtextextended('redrive kill', 13));
    exception when lock_not_available then null;
    end;
    perform set_config('lock_timeout', v_lock_timeout, true);
  end if;
  select r.documents into v_documents from redrive.control_revision r for update;
  select c.revision into v_before from redrive.controls c where c.kind = p_kind and c.key = p_key;
  if coalesce(v_before, 0) <> p_expect then
    refusal := 'changed';
    return;
  elsif v_before is null and p_document is not null and v_documents >= 10000
    and (select count(*) from redrive.controls c where c.kind = p_kind) >= 10000 then
    refusal := 'full';
    return;
  end if;
  revision := redrive.rise((p_document is not null)::integer - (v_before is not null)::integer);
  if p_document is null then
    delete from redrive.controls c where c.kind = p_kind and c.key = p_key;
  elsif v_before is null then
    insert into redrive.controls values (p_kind, p_key, revision, p_document);
  else
    update redrive.controls c set revision = control.revision, document = p_document
    where c.kind = p_kind and c.key = p_key;
  end if;
  if p_kind = 'kill' then
    perform redrive.write_stops();
  end if;
end $$;


create or replace function redrive.release_parked(
  p_now bigint, p_seq bigint, p_cause text, p_limit integer, p_detail text,
  out released integer, out more boolean, out records text)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
begin
  with changed as (
    update redrive.jobs j set state = 'ready', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), due_at = null,
        cause = null, previous_block = j.audit_block
    where j.seq = any(array(
      select d.seq from redrive.jobs d
      where d.state = 'parked' and d.cause = p_cause and d.audit_block <= coalesce(p_seq, 9223372036854775807)
      order by d.priority desc, d.due_at, d.id limit p_limit for update skip locked))
    returning case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision,
        '"unpark","parked","ready"', v_now, j.token, j.generation, j.executions, j.previous_block,
        p_detail || ']') end as record
  )
  select count(*), string_agg(c.record, E',\n') into released, records from changed c;
  more := exists (select from redrive.jobs j where j.state = 'parked' and j.cause = p_cause);
end $$;

create or replace function redrive.release_in_turn(
  p_now bigint, p_seq bigint, p_cause text, p_limit integer, p_detail text,
  out released integer, out more boolean, out records text)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
begin
  with changed as (
    update redrive.jobs j set state = 'ready', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), due_at = null,
        cause = null, previous_block = j.audit_block
    where j.seq = any(array(
      select d.seq from redrive.jobs d
      where d.state = 'parked' and d.cause = p_cause and d.audit_block <= coalesce(p_seq, 9223372036854775807)
        and d.seq = any(array(
          with recursive priorities as (
            select max(j.priority) as priority from redrive.jobs j where j.state = 'parked' and j.cause = p_cause
            union all
            select (select max(j.priority) from redrive.jobs j
              where j.state = 'parked' and j.cause = p_cause and j.priority < p.priority)
            from priorities p where p.priority is not null
          )
          select f.seq from priorities p cross join lateral (
            select j.seq, j.due_at, j.id from redrive.jobs j
            where j.state = 'parked' and j.cause = p_cause and j.priority = p.priority
            order by j.due_at, j.id limit p_limit + 10) f
          order by f.due_at, f.id limit p_limit + 10))
      order by d.due_at, d.id limit p_limit for update skip locked))
    returning case when p_seq is not null then concat_ws(',', '[' || to_json(j.id)::text, j.revision,
        '"unpark","parked","ready"', v_now, j.token, j.generation, j.executions, j.previous_block,
        p_detail || ']') end as record
  )
  select count(*), string_agg(c.record, E',\n') into released, records from changed c;
  more := exists (select from redrive.jobs j where j.state = 'parked' and j.cause = p_cause);
end $$;

-- Any number of both, in their order, with an audit block: one statement, so that no process can stop in the middle of
-- it and keep others waiting. Where there is no kind it is a release, of the cause that the key is; 'in turn': one in turn. For p_seq and
-- p_writer see the function step.
create or replace function redrive.control_step(
  p_now bigint, p_seq bigint, p_writer text, p_kinds text[], p_keys text[], p_expects bigint[], p_documents text[],
  p_notes text[], p_limits integer[])
returns table (revision bigint, refusal text, released integer, more boolean, records text)
language plpgsql volatile as $$
declare
  c record;
  v_records text;
begin
  if p_writer is not null then
    p_seq := nextval('redrive.audit_seq');
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
      from redrive.release_parked(p_now, p_seq, c.key, c.max, c.note) r;
    elsif c.kind = 'in turn' then
      select r.released, r.more, r.records into released, more, records
      from redrive.release_in_turn(p_now, p_seq, c.key, c.max, c.note) r;
    else
      select r.revision, r.refusal into revision, refusal
      from redrive.control(c.kind, c.key, c.expect, c.document) r;
      if refusal is null and c.note is not null and p_seq is not null then
        records := redrive.note(p_now, 'control', concat(c.kind, ':', c.key), c.note);
      end if;
    end if;
    v_records := concat_ws(E',\n', nullif(v_records, ''), nullif(records, ''));
    if p_writer is not null then
      records := null;
    end if;
    return next;
  end loop;
  if v_records <> '' and p_writer is not null then
    perform redrive.write_block(p_seq, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), p_writer, v_records);
  end if;
end $$;
