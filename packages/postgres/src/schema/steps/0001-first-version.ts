/**
 * `ids` knows every job, and finds it by a number: an index over ids, which are long, is written once in the life of a job
 * and not with each of its changes. `jobs` holds what is not finished, and stays small; `finished` holds the rest.
 * Payloads are inline: a table of their own was no faster and made enqueueing slower (large ones: `payloads`). All times are milliseconds since the
 * epoch. Texts compare by their bytes, whatever the database's own collation is, because the order of claims is part of
 * the contract.
 *
 * `held` is a physical variant of `ready`: its limit key was used up when a claim met it. It is out of the ready index
 * until a lease of its key ends, so that no claim meets it again and again. A rate of its tenant or key may hold it, too.
 *
 * Columns that only some jobs need hold null for the most common value: an account without anything but the numbers
 * that stand beside it, a session that is the job's own, a spec without anything in it.
 *
 * Control documents: few and small. `control_revision` has one row, which every change of them locks first: so there is
 * one change at a time, and none that is reported twice. No change of a job touches it.
 *
 * `stops` has one row too: what kill switches keep from being claimed, as a claim needs it. It follows from them, and is
 * written anew when one changes, which is rare; every claim reads it.
 *
 * `audit_packs`: old blocks, compressed. They are in no row of `audit_blocks` any more.
 */
export function firstVersion(s: string): string {
  return `
    create type ${s}.job_state as enum
      ('scheduled', 'ready', 'held', 'parked', 'leased', 'succeeded', 'dead', 'cancelled', 'purged');

    create sequence ${s}.job_seq;
    create table ${s}.ids (
      id text collate "C" primary key,
      seq bigint not null,
      -- Null: the job's own id.
      session_id text collate "C"
    );
    create index ids_session on ${s}.ids (session_id) where session_id is not null;

    create table ${s}.jobs (
      -- Columns of fixed width first: Postgres finds those without reading the ones before.
      seq bigint not null,
      submitted_at bigint not null,
      token bigint not null,
      generation_at bigint not null,
      audit_block bigint not null,
      previous_block bigint not null,
      deadline bigint,
      priority integer not null,
      revision integer not null,
      generation integer not null,
      claims integer not null,
      executions integer not null,
      failed integer not null,
      lease_lost integer not null,
      retry_count integer not null,
      state ${s}.job_state not null,
      cancel_requested boolean not null,
      id text collate "C" not null,
      handler text collate "C" not null,
      queue text collate "C" not null,
      tenant text collate "C" not null,
      payload text,
      attempts text,
      reason text,
      error_class text,
      account text,
      unique_key text collate "C",
      limit_key text collate "C",
      session_id text collate "C",
      headers text,
      spec text,
      tags text[],
      payload_bytes bytea,
      due_at bigint,
      lease_since bigint,
      lease_until bigint,
      cause text collate "C",
      worker text,
      policy_hash text,
      -- Null: other jobs are leased beside it, or it is not leased.
      alone boolean,
      -- JSON, which heartbeats bring. Null: the attempt has reported no progress, or none runs.
      progress text,
      -- Made of the spec, so that no statement writes it. Null: the job has no batch.
      batch text collate "C" generated always as (
        case when starts_with(spec, '{"batch":"') then split_part(spec, '"', 4) end) stored,
      -- The rate that holds it (see claim-rates.sql), while it is held by one.
      held_rate text collate "C",
      primary key (seq),
      -- A block's number is drawn before the rows are locked that it describes. Where another transaction has changed one
      -- of them meanwhile, and has a later number, the step fails here, and is tried again with a new number.
      check (audit_block >= previous_block or audit_block = 0)
    ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

    -- Every change of a job opens all of these, and most write a new entry into the first: they are few.
    -- The order of claims within a handler and a queue. Workers of other handlers, and paused queues, cost nothing.
    create index jobs_ready on ${s}.jobs (handler, queue, priority desc, tenant, submitted_at, id) where state = 'ready';
    create index jobs_due on ${s}.jobs (state, due_at) where due_at is not null;
    create index jobs_leased on ${s}.jobs (lease_until) where state = 'leased';
    create index jobs_deadline on ${s}.jobs (deadline) where deadline is not null and lease_since is null;
    create unique index jobs_unique_key on ${s}.jobs (unique_key) where unique_key is not null;
    create index jobs_limit_key on ${s}.jobs (state, handler, limit_key, priority desc, tenant, submitted_at, id)
      where limit_key is not null;

    create index jobs_held_rate on ${s}.jobs (held_rate, priority desc, submitted_at, id)
      where state = 'held' and held_rate is not null;

    -- What was used of rates, by name and value: see claim-rates.sql.
    create table ${s}.rates (
      key text collate "C" primary key,
      name text collate "C" not null,
      -- Null: it counts jobs of a queue.
      handler text collate "C",
      -- When the whole burst is free again, in microseconds.
      full_us bigint not null,
      -- Since when jobs wait for it.
      since bigint,
      -- When a claim looks at it again.
      look_at bigint not null,
      -- Whether jobs are held by it.
      holds boolean not null
    ) with (fillfactor = 50);
    create index rates_look on ${s}.rates (name, look_at) where holds;
    create index rates_idle on ${s}.rates (look_at);

    create table ${s}.finished (
      seq bigint not null,
      submitted_at bigint not null,
      token bigint not null,
      generation_at bigint not null,
      audit_block bigint not null,
      previous_block bigint not null,
      deadline bigint,
      priority integer not null,
      revision integer not null,
      generation integer not null,
      claims integer not null,
      executions integer not null,
      failed integer not null,
      lease_lost integer not null,
      retry_count integer not null,
      state ${s}.job_state not null,
      cancel_requested boolean not null,
      id text collate "C" not null,
      handler text collate "C" not null,
      queue text collate "C" not null,
      tenant text collate "C" not null,
      payload text,
      attempts text,
      reason text,
      error_class text,
      account text,
      unique_key text collate "C",
      limit_key text collate "C",
      session_id text collate "C",
      headers text,
      spec text,
      tags text[],
      payload_bytes bytea,
      finished_at bigint not null,
      result_omitted_bytes bigint,
      purged_from ${s}.job_state,
      purged_at bigint,
      result text,
      -- Of dead letters, also of purged ones.
      fingerprint text collate "C",
      batch text collate "C" generated always as (
        case when starts_with(spec, '{"batch":"') then split_part(spec, '"', 4) end) stored,
      primary key (seq),
      check (audit_block >= previous_block or audit_block = 0)
    );
    -- Dead ones have indexes of their own.
    create index finished_state on ${s}.finished (state, finished_at) where state <> 'dead';

    -- Without leased ones: a claim does not write to it. Leases are few, and have an index of their own.
    create index jobs_batch on ${s}.jobs (batch) where batch is not null and state <> 'leased';
    -- Also for the dead letters of a batch, in the order of their deaths.
    create index finished_batch on ${s}.finished (batch, state, finished_at) where batch is not null;

    -- No settlement writes to a batch: its jobs are counted. An enqueue shares a lock on it.
    create table ${s}.batches (
      id text collate "C" primary key,
      tenant text collate "C" not null,
      -- open, sealed or ended.
      state text not null,
      -- JSON of the job that follows.
      follows text,
      opened_by text not null,
      opened_at bigint not null,
      sealed_at bigint,
      ended_at bigint
    );
    create index batches_sealed on ${s}.batches (id) where state = 'sealed';
    create index batches_opened on ${s}.batches (opened_at, id);
    -- Jobs that retention has deleted.
    create table ${s}.pruned_in_batches (
      batch text collate "C" not null,
      state text not null,
      count bigint not null,
      primary key (batch, state)
    );

    create sequence ${s}.audit_seq;
    create table ${s}.audit_blocks (
      seq bigint primary key,
      at bigint not null,
      epoch integer not null,
      xid xid8 not null default pg_current_xact_id(),
      writer text not null,
      prev_hash text not null,
      hash text not null,
      body text not null
    );
    -- Bodies repeat themselves: lz4 makes them six times smaller for next to nothing. Servers built without it, and those
    -- before 14, keep their own compression.
    do $lz4$ begin
      execute 'alter table ${s}.audit_blocks alter column body set compression lz4';
    exception when others then null;
    end $lz4$;

    create table ${s}.policies (
      hash text primary key,
      id text not null,
      policy text not null
    );

    -- One row. Transaction ids begin anew in another server that a dump was restored to; then the epoch is raised, so that
    -- positions go on rising (see check_epoch).
    create table ${s}.epochs (epoch integer not null check (epoch between 1 and 9999));
    insert into ${s}.epochs values (1);
    create index audit_blocks_position on ${s}.audit_blocks (epoch, xid, seq);

    create table ${s}.audit_anchors (
      seq bigint primary key,
      from_position text collate "C" not null,
      to_position text collate "C" not null,
      blocks integer not null,
      root text not null,
      prev_hash text not null,
      hash text not null,
      at bigint not null
    );

    -- One row per cause, which is never changed: a transaction that ends a job with a known cause shares a lock on its row,
    -- so that nobody waits, and the row cannot be deleted meanwhile.
    create table ${s}.dead_groups (
      fingerprint text collate "C" primary key,
      pattern text not null
    );

    -- Payloads that are too large for the row of their job: written once, and not moved when the job is.
    create table ${s}.payloads (
      seq bigint primary key,
      payload text,
      payload_bytes bytea
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

    -- All over dead ones alone, so that a success pays for none. Their conditions are those of DEAD_BY.
    -- With the fingerprint beside it, causes are counted without looking at the rows, which are wide.
    create index finished_dead on ${s}.finished (finished_at, id) include (fingerprint) where state = 'dead' and seq > 0;
    create index finished_dead_handler on ${s}.finished (handler, finished_at, id) include (fingerprint) where state = 'dead' and revision > 0;
    create index finished_dead_tenant on ${s}.finished (tenant, finished_at, id) include (fingerprint) where state = 'dead' and tenant <> '';
    create index finished_fingerprint on ${s}.finished (fingerprint, state, finished_at, id) where fingerprint is not null;
    create index finished_purged on ${s}.finished (purged_at) where state = 'purged';

    -- Bulk operations, and how far they are.
    create table ${s}.operations (
      id text collate "C" primary key,
      revision integer not null,
      request text not null,
      finished boolean not null,
      page text,
      acted integer not null,
      refused integer not null,
      begun_by text not null,
      why text,
      started_at bigint not null,
      updated_at bigint not null
    );

    -- Idempotency keys. until: from then on the key is not there; null: for ever. One sequence for the tokens of all keys,
    -- so that those of a key rise also after it was forgotten. error: what is kept beside the value, which is the failure
    -- or, of a key that is done, its metadata.
    create sequence ${s}.ledger_token;
    create table ${s}.ledger (
      key text collate "C" primary key,
      token bigint not null,
      lease_until bigint not null,
      until bigint,
      state text not null,
      fingerprint text not null,
      value text,
      error text
    );
    create index ledger_until on ${s}.ledger (until) where until is not null;

    -- A row of an answer: meta is what its kind says, and a job's columns stand beside it.
    create type ${s}.answer as (
      kind text, meta text, id text, payload text, submitted_at bigint, tid tid, handler text, queue text,
      tenant text, priority integer, revision integer, token bigint, generation integer, claims integer,
      executions integer, failed integer, lease_lost integer, retry_count integer, generation_at bigint,
      lease_since bigint, deadline bigint, attempts text, reason text, error_class text, account text,
      unique_key text, limit_key text, session_id text, headers text, spec text, tags text,
      payload_bytes bytea
    );

    create table ${s}.controls (
      kind text collate "C" not null,
      key text collate "C" not null,
      revision bigint not null,
      document text not null,
      primary key (kind, key)
    );
    create table ${s}.control_revision (revision bigint not null, documents integer not null);
    insert into ${s}.control_revision values (0, 0);
    create table ${s}.stops (
      queues text[] not null,
      handlers text[] not null,
      tenants text[] not null,
      everything boolean not null
    );
    insert into ${s}.stops values ('{}', '{}', '{}', false);

    -- Parked jobs of one cause, in the order in which they are released.
    create index jobs_parked on ${s}.jobs (cause, priority desc, due_at, id) where state = 'parked';

    create table ${s}.audit_packs (
      seq bigint primary key,
      from_position text collate "C" not null,
      to_position text collate "C" not null,
      min_seq bigint not null,
      max_seq bigint not null,
      blocks integer not null,
      data bytea not null,
      hash text not null
    );
    -- It is compressed already.
    alter table ${s}.audit_packs alter column data set storage external;
    create index audit_packs_to on ${s}.audit_packs (to_position);
    create index audit_packs_numbers on ${s}.audit_packs (min_seq, max_seq);

    -- Workers that are alive, or were seen in the last day.
    create table ${s}.workers (
      name text collate "C" primary key,
      since bigint not null,
      seen_at bigint not null,
      running integer not null,
      stopping boolean not null,
      facts text not null
    );

    -- The newest event of each document. The number is that of the event's job, in jobs or finished.
    create table ${s}.event_documents (
      collection text collate "C" not null,
      document text collate "C" not null,
      seq bigint not null,
      bytes integer not null,
      primary key (collection, document)
    );
    create index event_documents_seq on ${s}.event_documents (seq);`;
}
