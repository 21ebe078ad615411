/**
 * `ids` knows every job, and finds it by a number: an index over ids, which are long, is written once in the life of a job
 * and not with each of its changes. `jobs` holds what is not finished, and stays small; `finished` holds the rest. Payloads are inline: a table of their own
 * was no faster and made enqueueing slower. All times are milliseconds since the epoch. Texts compare by their bytes,
 * whatever the database's own collation is, because the order of claims is part of the contract.
 *
 * `held` is a physical variant of `ready`: its limit key was used up when a claim met it. It is out of the ready index
 * until a lease of its key ends, so that no claim meets it again and again.
 *
 * Columns that only some jobs need hold null for the usual value: an account without anything but the numbers that stand
 * beside it, a session that is the job's own, a spec without anything in it.
 */
export function tables(s: string): string {
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
      ${COMMON_COLUMNS(s)},
      due_at bigint,
      lease_since bigint,
      lease_until bigint,
      cause text,
      worker text,
      policy_hash text,
      primary key (seq),
      ${AUDIT_ORDER}
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

    create table ${s}.finished (
      ${COMMON_COLUMNS(s)},
      finished_at bigint not null,
      result_omitted_bytes bigint,
      purged_from ${s}.job_state,
      purged_at bigint,
      result text,
      -- Of dead letters, also of purged ones.
      fingerprint text collate "C",
      primary key (seq),
      ${AUDIT_ORDER}
    );
    -- Dead ones have indexes of their own.
    create index finished_state on ${s}.finished (state, finished_at) where state <> 'dead';

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

    create table ${s}.pauses (
      scope text not null,
      name text collate "C" not null,
      since bigint not null,
      paused_by text not null,
      why text,
      primary key (scope, name)
    );`;
}

/**
 * A block's number is drawn before the rows are locked that it tells of. Where somebody else has changed one of them
 * meanwhile, and has a later number, the step is refused here, and tried again with a new number.
 */
const AUDIT_ORDER = 'check (audit_block >= previous_block or audit_block = 0)';

/** Of fixed width first: those are found without looking at the ones before. */
const COMMON_COLUMNS = (s: string): string => `
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
      payload_bytes bytea`;

/** What both tables have, in order. */
export const JOB_COLUMNS: readonly string[] = COMMON_COLUMNS('s')
  .trim()
  .split(',\n')
  .map((line) => line.trim().split(' ')[0] ?? '');
