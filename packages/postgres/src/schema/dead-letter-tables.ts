import { MAX_EARLIER_PAYLOADS } from '@redrive/durable/store';

/**
 * Conditions of the indexes over dead letters. All hold for every dead letter (with a tenant); a query names the one whose
 * index it is to use. Otherwise the planner may go through all letters in the order of their deaths, hoping to meet a rare
 * handler soon.
 */
export const DEAD_BY = {
  time: "state = 'dead' and seq > 0",
  handler: "state = 'dead' and revision > 0",
  tenant: "state = 'dead' and tenant <> ''",
} as const;

/**
 * What operators look for among finished jobs. All indexes are over dead ones alone, so that a success pays for none.
 *
 * `dead_groups` has a row per cause, which is never changed: whoever ends a job with a known cause shares a lock on its
 * row, so that nobody waits, and the row cannot be deleted meanwhile.
 */
export function deadLetterTables(s: string): string {
  return `
    create table ${s}.dead_groups (
      fingerprint text collate "C" primary key,
      pattern text not null
    );

    create table ${s}.earlier_payloads (
      seq bigint not null,
      generation integer not null,
      payload text,
      payload_bytes bytea,
      replaced_at bigint not null,
      replaced_by text not null,
      primary key (seq, generation)
    );

    -- With the fingerprint beside it, causes are counted without looking at the rows, which are wide.
    create index finished_dead on ${s}.finished (finished_at, id) include (fingerprint) where ${DEAD_BY.time};
    create index finished_dead_handler on ${s}.finished (handler, finished_at, id) include (fingerprint) where ${DEAD_BY.handler};
    create index finished_dead_tenant on ${s}.finished (tenant, finished_at, id) include (fingerprint) where ${DEAD_BY.tenant};
    create index finished_fingerprint on ${s}.finished (fingerprint, state, finished_at, id) where fingerprint is not null;
    create index finished_purged on ${s}.finished (purged_at) where state = 'purged';`;
}

export function deadLetterFunctions(s: string): string {
  return `
    -- Makes causes known, and keeps them from being forgotten until the end of the transaction.
    create or replace function ${s}.keep_groups(p_fingerprints text[], p_patterns text[]) returns void
    language plpgsql volatile as $$
    declare
      v_wanted text[] := array(select distinct f collate "C" from unnest(p_fingerprints) as u(f) order by 1);
      v_locked integer;
    begin
      loop
        perform from ${s}.dead_groups g where g.fingerprint = any(v_wanted) order by g.fingerprint for key share;
        get diagnostics v_locked = row_count;
        exit when v_locked = coalesce(cardinality(v_wanted), 0);
        -- One that somebody else has deleted since is put back in the next round.
        insert into ${s}.dead_groups (fingerprint, pattern)
        -- An empty text arrives as null.
        select distinct on (u.fingerprint collate "C") u.fingerprint, coalesce(u.pattern, '')
        from unnest(p_fingerprints, p_patterns) as u(fingerprint, pattern)
        order by u.fingerprint collate "C"
        on conflict do nothing;
      end loop;
    end $$;

    -- Keeps a payload that was replaced, and the newest of those before it.
    create or replace function ${s}.keep_payload(
      p_seq bigint, p_generation integer, p_payload text, p_bytes bytea, p_at bigint, p_by text) returns void
    language plpgsql volatile as $$
    begin
      insert into ${s}.earlier_payloads values (p_seq, p_generation, p_payload, p_bytes, p_at, p_by);
      delete from ${s}.earlier_payloads where seq = p_seq and generation <= (
        select e.generation from ${s}.earlier_payloads e where e.seq = p_seq
        order by e.generation desc offset ${MAX_EARLIER_PAYLOADS} limit 1);
    end $$;`;
}
