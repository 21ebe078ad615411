import { BATCH_KEPT_MS, OPERATION_KEPT_MS } from '@redrive/durable/store';
import { NO_UNFINISHED } from '../query/batches.ts';
import { RECORD_SEPARATOR } from './audit-sql.ts';
import { NOW } from './now.ts';
import { deletedRecordSql } from './upkeep-functions.ts';

/** How many causes one prune checks for a dead letter. */
const GROUPS_AT_ONCE = 1_000;

/**
 * Deletes finished jobs whose time is over, the oldest first. A null time: never. `p_only_ids`: of these alone, where they
 * have the revisions beside them. Also deletes rows that nothing refers to any more: payloads from before an edit, causes without
 * a dead letter, idempotency keys whose time is over, and operations and batches that ended long ago.
 */
export function pruneFunction(s: string): string {
  const over = (state: string, column: string, after: string) => `
    select * from (select f.seq, f.${column} as since from ${s}.finished f where f.state = '${state}' and ${state === 'dead' ? 'f.seq > 0 and ' : ''}f.${column} <= v_now - ${after}
     order by f.${column} limit p_limit for update skip locked) ${state}`;
  return `
    create or replace function ${s}.prune(
      p_now bigint, p_seq bigint, p_limit integer, p_detail text,
      p_succeeded bigint, p_cancelled bigint, p_dead bigint, p_purged bigint, p_only_ids text[], p_only_revisions integer[],
      out deleted integer, out keys integer, out records text)
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      v_seqs bigint[];
    begin
      if p_only_ids is null then
        v_seqs := array(
          select o.seq from (${[
            over('succeeded', 'finished_at', 'p_succeeded'),
            over('cancelled', 'finished_at', 'p_cancelled'),
            over('dead', 'finished_at', 'p_dead'),
            over('purged', 'purged_at', 'p_purged'),
          ].join(' union all ')}) o
          order by o.since limit p_limit);
      else
        v_seqs := array(
          select f.seq from unnest(p_only_ids, p_only_revisions) as o(id, revision)
          join ${s}.ids i on i.id = o.id join ${s}.finished f on f.seq = i.seq
          where f.revision = o.revision and case f.state
            when 'succeeded' then f.finished_at <= v_now - p_succeeded
            when 'cancelled' then f.finished_at <= v_now - p_cancelled
            when 'dead' then f.finished_at <= v_now - p_dead
            else f.purged_at <= v_now - p_purged end
          order by coalesce(f.purged_at, f.finished_at) limit p_limit for update of f skip locked);
      end if;

      with gone as (
        delete from ${s}.finished f where f.seq = any(v_seqs) returning *
      ), forgotten as (delete from ${s}.ids i using gone g where i.id = g.id),
      replaced as (delete from ${s}.earlier_payloads e using gone g where e.seq = g.seq),
      documents as (delete from ${s}.event_documents d using gone g where d.seq = g.seq),
      counted as (
        insert into ${s}.pruned_in_batches as p (batch, state, count)
        select g.batch, g.state::text, count(*) from gone g where g.batch is not null group by 1, 2 order by 1, 2
        on conflict (batch, state) do update set count = p.count + excluded.count),
      large as (delete from ${s}.payloads p using gone g where p.seq = g.seq)
      select count(*), string_agg(${deletedRecordSql('prune')}, ${RECORD_SEPARATOR}) into deleted, records from gone g;

      perform ${s}.forget_groups();
      delete from ${s}.ledger where key = any(array(
        select l.key from ${s}.ledger l where l.until <= v_now order by l.until limit p_limit for update skip locked));
      get diagnostics keys = row_count;
      with over as (
        delete from ${s}.batches b where b.ended_at <= v_now - ${BATCH_KEPT_MS}::bigint
          and ${NO_UNFINISHED(s)}
          and not exists (select from ${s}.finished f where f.batch = b.id) returning b.id)
      delete from ${s}.pruned_in_batches p using over o where p.batch = o.id;
      delete from ${s}.operations o where o.finished and o.updated_at <= v_now - ${OPERATION_KEPT_MS}::bigint;
    end $$;

    -- Deletes causes without a dead letter. Looks at some of them, from anywhere, so that it comes round in time.
    create or replace function ${s}.forget_groups() returns void
    language plpgsql volatile as $$
    declare
      v_from text := concat((array['fp1:', 'name:', 'part:'])[1 + floor(random() * 3)::integer], substr(md5(random()::text), 1, 16));
      v_empty text[];
    begin
      v_empty := array(
        select g.fingerprint from (
          (select a.fingerprint from ${s}.dead_groups a where a.fingerprint >= v_from order by 1 limit ${GROUPS_AT_ONCE})
          union all
          (select b.fingerprint from ${s}.dead_groups b where b.fingerprint < v_from order by 1 limit ${GROUPS_AT_ONCE})
        ) g where not exists (select from ${s}.finished f where f.fingerprint = g.fingerprint));
      if cardinality(v_empty) > 0 then
        -- Not one that somebody is about to use: he shares a lock on it.
        v_empty := array(
          select g.fingerprint from ${s}.dead_groups g where g.fingerprint = any(v_empty) for update skip locked);
        -- A statement of its own, so that it sees all commits before the locks were taken.
        delete from ${s}.dead_groups g where g.fingerprint = any(v_empty)
          and not exists (select from ${s}.finished f where f.fingerprint = g.fingerprint);
      end if;
    end $$;`;
}
