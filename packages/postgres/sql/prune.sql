-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.prune(
  p_now bigint, p_seq bigint, p_limit integer, p_detail text,
  p_succeeded bigint, p_cancelled bigint, p_dead bigint, p_purged bigint, p_only_ids text[], p_only_revisions integer[],
  out deleted integer, out keys integer, out records text)
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  v_seqs bigint[];
begin
  if p_only_ids is null then
    v_seqs := array(
      select o.seq from (
select * from (select f.seq, f.finished_at as since from redrive.finished f where f.state = 'succeeded' and f.finished_at <= v_now - p_succeeded
 order by f.finished_at limit p_limit for update skip locked) succeeded union all
select * from (select f.seq, f.finished_at as since from redrive.finished f where f.state = 'cancelled' and f.finished_at <= v_now - p_cancelled
 order by f.finished_at limit p_limit for update skip locked) cancelled union all
select * from (select f.seq, f.finished_at as since from redrive.finished f where f.state = 'dead' and f.seq > 0 and f.finished_at <= v_now - p_dead
 order by f.finished_at limit p_limit for update skip locked) dead union all
select * from (select f.seq, f.purged_at as since from redrive.finished f where f.state = 'purged' and f.purged_at <= v_now - p_purged
 order by f.purged_at limit p_limit for update skip locked) purged) o
      order by o.since limit p_limit);
  else
    v_seqs := array(
      select f.seq from unnest(p_only_ids, p_only_revisions) as o(id, revision)
      join redrive.ids i on i.id = o.id join redrive.finished f on f.seq = i.seq
      where f.revision = o.revision and case f.state
        when 'succeeded' then f.finished_at <= v_now - p_succeeded
        when 'cancelled' then f.finished_at <= v_now - p_cancelled
        when 'dead' then f.finished_at <= v_now - p_dead
        else f.purged_at <= v_now - p_purged end
      order by coalesce(f.purged_at, f.finished_at) limit p_limit for update of f skip locked);
  end if;

  with gone as (
    delete from redrive.finished f where f.seq = any(v_seqs) returning *
  ), forgotten as (delete from redrive.ids i using gone g where i.id = g.id),
  replaced as (delete from redrive.earlier_payloads e using gone g where e.seq = g.seq),
  documents as (delete from redrive.event_documents d using gone g where d.seq = g.seq),
  counted as (
    insert into redrive.pruned_in_batches as p (batch, state, count)
    select g.batch, g.state::text, count(*) from gone g where g.batch is not null group by 1, 2 order by 1, 2
    on conflict (batch, state) do update set count = p.count + excluded.count),
  large as (delete from redrive.payloads p using gone g where p.seq = g.seq)
  select count(*), string_agg(case when p_seq is not null then concat_ws(',', '[' || to_json(g.id)::text, g.revision + 1,
        '"prune"', concat('"', (case when g.state = 'held' then 'ready' else g.state::text end), '"'), '"purged"', v_now, g.token, g.generation, g.executions, g.audit_block,
        p_detail || ']') end, E',\n') into deleted, records from gone g;

  perform redrive.forget_groups();
  delete from redrive.ledger where key = any(array(
    select l.key from redrive.ledger l where l.until <= v_now order by l.until limit p_limit for update skip locked));
  get diagnostics keys = row_count;
  with over as (
    delete from redrive.batches b where b.ended_at <= v_now - 7776000000::bigint
      and not exists (select from redrive.jobs j where j.batch = b.id and j.state <> 'leased')
  and not exists (select from redrive.jobs j where j.batch = b.id and j.state = 'leased')
      and not exists (select from redrive.finished f where f.batch = b.id) returning b.id)
  delete from redrive.pruned_in_batches p using over o where p.batch = o.id;
  delete from redrive.operations o where o.finished and o.updated_at <= v_now - 2592000000::bigint;
end $$;

-- Deletes causes without a dead letter. Looks at some of them, from anywhere, so that it comes round in time.
create or replace function redrive.forget_groups() returns void
language plpgsql volatile as $$
declare
  v_from text := concat((array['fp1:', 'name:', 'part:'])[1 + floor(random() * 3)::integer], substr(md5(random()::text), 1, 16));
  v_empty text[];
begin
  v_empty := array(
    select g.fingerprint from (
      (select a.fingerprint from redrive.dead_groups a where a.fingerprint >= v_from order by 1 limit 1000)
      union all
      (select b.fingerprint from redrive.dead_groups b where b.fingerprint < v_from order by 1 limit 1000)
    ) g where not exists (select from redrive.finished f where f.fingerprint = g.fingerprint));
  if cardinality(v_empty) > 0 then
    -- Not one that somebody is about to use: he shares a lock on it.
    v_empty := array(
      select g.fingerprint from redrive.dead_groups g where g.fingerprint = any(v_empty) for update skip locked);
    -- A statement of its own, so that it sees all commits before the locks were taken.
    delete from redrive.dead_groups g where g.fingerprint = any(v_empty)
      and not exists (select from redrive.finished f where f.fingerprint = g.fingerprint);
  end if;
end $$;
