import { joinRecords, RECORD_SEPARATOR, recordSql } from './audit-sql.ts';
import { type Columns, columnParameters } from './columns.ts';
import { NOW } from './now.ts';

/** What describes new jobs. */
export const NEW_JOB_COLUMNS = [
  ['id', 'text'],
  ['handler', 'text', 'alike'],
  ['queue', 'text', 'alike'],
  ['detail', 'joined', 'alike'],
  ['payload', 'joined'],
  ['tenant', 'text'],
  ['priority', 'integer'],
  ['due_at', 'bigint'],
  ['due_in', 'bigint'],
  ['deadline_at', 'bigint'],
  ['deadline_in', 'bigint'],
  ['on_conflict', 'joined'],
  ['generation', 'integer'],
  ['claims', 'integer'],
  ['executions', 'integer'],
  ['failed', 'integer'],
  ['lease_lost', 'integer'],
  ['account', 'joined'],
  ['retry_count', 'integer'],
  ['error_class', 'joined'],
  ['unique_key', 'text'],
  ['limit_key', 'text'],
  ['session_id', 'text'],
  ['tags', 'text'],
  ['headers', 'joined'],
  ['spec', 'joined'],
  ['payload_bytes', 'bytea'],
  ['attempts', 'joined'],
] as const satisfies Columns;

export type NewJobColumn = (typeof NEW_JOB_COLUMNS)[number][0];

export const NEW_JOBS = columnParameters(NEW_JOB_COLUMNS, 'n_', 'n');
const INPUT = NEW_JOBS.rows({ seq: 'v_seqs' });

/** The row of the loop, as a `from` item. */
const ONE_ROW = `(select ${[...NEW_JOB_COLUMNS.map(([name]) => name), 'seq'].map((name) => `n.${name}`).join(', ')}) n`;

const DUE = 'coalesce(n.due_at, v_now + n.due_in, v_now)';
const STATE = (s: string) =>
  `(case when ${DUE} > v_now then 'scheduled' else 'ready' end)::${s}.job_state`;
const DEADLINE = 'coalesce(n.deadline_at, v_now + n.deadline_in)';

/** Stores one new job, or as many as the input has. */
const INSERT = (s: string, from: string, order: string) => `
  insert into ${s}.jobs (
    seq, submitted_at, token, generation_at, audit_block, previous_block, deadline, priority, revision,
    generation, claims, executions, failed, lease_lost, retry_count, state, cancel_requested,
    id, handler, queue, tenant, payload, error_class, account, unique_key, limit_key, session_id,
    headers, spec, tags, payload_bytes, attempts, due_at)
  select
    n.seq, v_now, 0, v_now, coalesce(p_seq, 0), 0, ${DEADLINE}, coalesce(n.priority, 0), 1,
    coalesce(n.generation, 1), coalesce(n.claims, 0), coalesce(n.executions, 0), coalesce(n.failed, 0),
    coalesce(n.lease_lost, 0), coalesce(n.retry_count, 0), ${STATE(s)}, false,
    n.id, n.handler, n.queue, coalesce(n.tenant, ''), n.payload, n.error_class, n.account, n.unique_key, n.limit_key,
    n.session_id, n.headers, n.spec, n.tags::text[], n.payload_bytes, n.attempts,
    case when ${DUE} > v_now then ${DUE} end
  from ${from} ${order}`;

const CREATED_RECORD = recordSql({
  id: 'n.id',
  revision: '1',
  event: "'enqueue'",
  from: 'null',
  to: `case when ${DUE} > v_now then 'scheduled' else 'ready' end`,
  at: 'v_now',
  token: '0',
  generation: 'coalesce(n.generation, 1)',
  executions: 'coalesce(n.executions, 0)',
  previousBlock: '0',
  detail: 'n.detail',
});

const REPLACED_RECORD = recordSql({
  id: 'v_holder.id',
  revision: 'v_holder.revision + 1',
  event: "'replace'",
  from: "case when v_holder.state = 'held' then 'ready' else v_holder.state::text end",
  to: `case when ${DUE} > v_now then 'scheduled' else 'ready' end`,
  at: 'v_now',
  token: 'v_holder.token',
  generation: 'v_holder.generation',
  executions: 'v_holder.executions',
  previousBlock: 'v_holder.audit_block',
  detail: 'n.detail',
});

/**
 * Accepts jobs. Ids must differ. `outcomes` is null when all were created, which is nearly always so; otherwise it has
 * one entry per job, and `ids` the job that each one stands for.
 *
 * Unique keys are inserted in their own order, so that two such calls cannot wait for each other in a circle.
 */
export function enqueueFunction(s: string): string {
  return `
    create or replace function ${s}.enqueue(
      p_now bigint, p_seq bigint, ${NEW_JOBS.parameters},
      out outcomes text[], out ids text[], out records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint := ${NOW};
      v_seqs bigint[] := array(select nextval('${s}.job_seq') from generate_series(1, cardinality(n_id)));
      v_outcome text;
      v_id text;
      v_holder record;
      n record;
    begin
      if n_unique_key is null or not exists (
        select from unnest(n_unique_key) as u(key) join ${s}.jobs j on j.unique_key = u.key) then
        begin
          with numbered as (
            insert into ${s}.ids (id, seq, session_id)
            select i.id, i.seq, i.session_id from unnest(n_id, v_seqs, n_session_id) as i(id, seq, session_id)
          ), accepted as (${INSERT(s, INPUT, 'order by n.unique_key, n.ord')})
          select string_agg(${CREATED_RECORD}, ${RECORD_SEPARATOR}) into records from ${INPUT};
          return;
        exception when unique_violation then
          -- Nothing of it has happened. One of them needs another answer.
        end;
      end if;

      for n in select * from ${INPUT} order by n.ord loop
        v_outcome := null;
        while v_outcome is null loop
          insert into ${s}.ids (id, seq, session_id) values (n.id, n.seq, n.session_id) on conflict do nothing;
          if not found then
            v_outcome := 'duplicate_id';
            v_id := n.id;
            exit;
          end if;
          select * into v_holder from ${s}.jobs j where j.unique_key = n.unique_key;
          if found and n.on_conflict = 'replace' and v_holder.state <> 'leased' then
            -- Only now: the holder's end would wait for the end of this transaction, which may be a caller's.
            select * into v_holder from ${s}.jobs j where j.unique_key = n.unique_key for update;
          end if;
          if not found then
            ${INSERT(s, ONE_ROW, '')} on conflict do nothing;
            -- Otherwise somebody else has the key since a moment ago.
            if found then
              v_outcome := 'created';
              v_id := n.id;
              records := ${joinRecords('records', CREATED_RECORD)};
              exit;
            end if;
            delete from ${s}.ids i where i.id = n.id;
            continue;
          end if;
          delete from ${s}.ids i where i.id = n.id;
          v_id := v_holder.id;
          if n.on_conflict = 'refuse' then
            v_outcome := 'unique_conflict';
          elsif n.on_conflict = 'replace' and v_holder.state <> 'leased' then
            v_outcome := 'replaced';
            records := ${joinRecords('records', REPLACED_RECORD)};
            update ${s}.jobs j set
              state = ${STATE(s)}, due_at = case when ${DUE} > v_now then ${DUE} end, deadline = ${DEADLINE},
              cause = null, revision = j.revision + 1, previous_block = j.audit_block,
              audit_block = coalesce(p_seq, 0), payload = n.payload, payload_bytes = n.payload_bytes,
              headers = n.headers, tags = n.tags::text[], priority = coalesce(n.priority, 0)
            where j.seq = v_holder.seq;
            -- It may have been let go by its limit key, and others stand behind it.
            if v_holder.state = 'ready' and v_holder.limit_key is not null then
              perform ${s}.release_held(array[v_holder.handler], array[v_holder.limit_key], array[v_holder.tenant]);
            end if;
          else
            v_outcome := 'existing';
          end if;
        end loop;
        outcomes := outcomes || v_outcome;
        ids := ids || v_id;
      end loop;
    end $$;`;
}
