import { BATCH_IN_SPEC, KEPT_ON_REPLACE } from '@redrive/durable/store';
import type { FastPaths } from '../fast-paths.ts';
import { joinRecords } from './audit-sql.ts';
import { type Columns, columnParameters, listed } from './columns.ts';
import { inRowSql, keepLargeSql } from './large-payloads.ts';
import { NOW } from './now.ts';
import {
  insertSql,
  setSql,
  type TransitionSql,
  transitionGroupsSql,
  transitionRecordSql,
} from './transition-sql.ts';

/** The parameters that describe new jobs. */
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
  // And for how many milliseconds the unique key counts after the submission, if it does: `existing 3600000`.
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
/** Rows of `INPUT` whose id is not known to exist. */
const NEW = `(select * from ${INPUT} where n.seq is not null) n`;

/** The row of the loop, as a `from` item. */
const ONE_ROW = `(select ${listed([...NEW_JOB_COLUMNS.map(([name]) => `n.${name}`), 'n.seq'])}) n`;

const DUE = 'coalesce(n.due_at, v_now + n.due_in, v_now)';

const WHEN_DUE = {
  given: { due_at: DUE, deadline: 'coalesce(n.deadline_at, v_now + n.deadline_in)' },
  state: `case when ${DUE} > v_now then 'scheduled' else 'ready' end`,
  // The only one that a rule asks for.
  isIn: () => `${DUE} > v_now`,
} as const;

const ENQUEUE: TransitionSql = {
  ...WHEN_DUE,
  of: 'n',
  given: {
    ...WHEN_DUE.given,
    generation: 'coalesce(n.generation, 1)',
    claims: 'coalesce(n.claims, 0)',
    executions: 'coalesce(n.executions, 0)',
    failed: 'coalesce(n.failed, 0)',
    lease_lost: 'coalesce(n.lease_lost, 0)',
    account: 'n.account',
    retry_count: 'coalesce(n.retry_count, 0)',
    error_class: 'n.error_class',
    attempts: 'n.attempts',
  },
};

/** The columns that an enqueue replaces in a waiting job, besides those of its life. */
const replaced = (fastPaths: FastPaths) => ({
  payload: inRowSql('n.payload', fastPaths),
  payload_bytes: inRowSql('n.payload_bytes', fastPaths),
  headers: 'n.headers',
  tags: 'n.tags::text[]',
  priority: 'coalesce(n.priority, 0)',
});

/** All that never changes in a job. */
const SPEC = {
  seq: 'n.seq',
  submitted_at: 'v_now',
  id: 'n.id',
  handler: 'n.handler',
  queue: 'n.queue',
  tenant: "coalesce(n.tenant, '')",
  unique_key: 'n.unique_key',
  limit_key: 'n.limit_key',
  session_id: 'n.session_id',
  spec: 'n.spec',
} as const;

/** A job that is dead from the start. */
const ENQUEUE_DEAD: TransitionSql = {
  of: 'n',
  given: {
    ...ENQUEUE.given,
    reason: 'p_reason',
    fingerprint: 'p_fingerprint',
  },
};

/** Of an enum. */
const stored = (s: string, sql: TransitionSql): TransitionSql => ({
  ...sql,
  state: `(${WHEN_DUE.state})::${s}.job_state`,
});

/** The two parts of the column `on_conflict`. */
const HOW = "split_part(n.on_conflict, ' ', 1)";
const FOR_MS = "nullif(split_part(n.on_conflict, ' ', 2), '')::bigint";

/** Of the ledger, as `windowKey` makes it. */
const WINDOW_KEY = "concat('unique', chr(10), n.unique_key)";

/** Takes unique keys for a time, those that nobody has. Waits for a transaction that is taking the same key. */
const takeWindows = (s: string, rows: string): string => `
            insert into ${s}.ledger as l (key, token, lease_until, until, state, fingerprint, value)
            select ${WINDOW_KEY}, nextval('${s}.ledger_token'), v_now, v_now + ${FOR_MS}, 'done', '',
              json_build_array(n.id, n.handler, coalesce(n.tenant, ''))::text
            from ${rows}
            on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until,
              until = excluded.until, state = 'done', fingerprint = '', value = excluded.value, error = null
            where l.until <= v_now;`;

const giveBack = (s: string): string => `delete from ${s}.ledger l where l.key = ${WINDOW_KEY};`;

/** The batch in the spec of a job; null: it has none. The generated column `batch` has the same. */
const BATCH = `case when starts_with(n.spec, '${BATCH_IN_SPEC}') then split_part(n.spec, '"', 4) end`;

const CREATED_RECORD = transitionRecordSql('enqueue', ENQUEUE, { detail: 'n.detail' });

/** `replaceDetail`, in SQL. `json` and not `jsonb`, which would refuse a NUL in a text. */
const REPLACED_DETAIL = `(
  select '{' || string_agg(to_json(d.key) || ':' || case d.key
    when 'queue' then to_json(v_holder.queue)::text else d.value::text end, ',' order by d.ord) || '}'
  from json_each(n.detail::json) with ordinality as d(key, value, ord)
  where d.key not in (${KEPT_ON_REPLACE.map((field) => `'${field}'`).join(', ')}))`;

const REPLACED_RECORD = transitionRecordSql(
  'replace',
  { of: 'v_holder', ...WHEN_DUE },
  {
    from: "case when v_holder.state = 'held' then 'ready' else v_holder.state::text end",
    detail: REPLACED_DETAIL,
  },
);

/**
 * Accepts jobs. Ids must differ. `outcomes` is null when all were created, which is nearly always so; otherwise it has
 * one entry per job, and `ids` the job that each one stands for.
 *
 * All jobs are inserted by one statement. If an id exists already, that job loses its number in `v_seqs` and the others are
 * inserted without it: a broker that delivers one message again does not slow down the batch. Only conflicts of unique keys
 * are answered row by row.
 *
 * A unique key that counts for a time is a key of the ledger, with the job that took it.
 *
 * Keys of the ledger, then ids, then unique keys are inserted, each in their own order, so that two such calls cannot wait for each other in a circle.
 */
export function enqueueFunction(s: string, fastPaths: FastPaths): string {
  const edited = replaced(fastPaths);
  const insert = insertSql(stored(s, ENQUEUE), `${s}.jobs`, { ...SPEC, ...edited });
  const replace = setSql('replace', stored(s, { of: 'j', ...WHEN_DUE }), edited);
  return `
    ${knownIdFunction(s)}

    create or replace function ${s}.enqueue(
      p_now bigint, p_seq bigint, ${NEW_JOBS.parameters},
      out outcomes text[], out ids text[], out records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint := ${NOW};
      v_seqs bigint[] := array(select nextval('${s}.job_seq') from generate_series(1, cardinality(n_id)));
      v_known integer := 0;
      v_callers boolean := strpos(n_spec, '"digest":"') > 0;
      v_windows boolean := strpos(n_on_conflict, ' ') > 0;
      v_rows integer;
      v_taken boolean;
      v_window json;
      v_outcome text;
      v_id text;
      v_holder record;
      n record;
    begin
      if strpos(n_spec, '${BATCH_IN_SPEC}') > 0 then
        -- A seal waits for this transaction, or this one for the seal.
        perform from ${s}.batches b where b.id in (select ${BATCH} from ${INPUT}) order by b.id for share;
        v_seqs := array(select case when ${BATCH} is null or exists (
            select from ${s}.batches b where b.id = ${BATCH} and b.state = 'open' and b.tenant = coalesce(n.tenant, ''))
          then n.seq end from ${INPUT} order by n.ord);
        v_known := coalesce(cardinality(array_positions(v_seqs, null)), 0);
      end if;
      while n_unique_key is null or not exists (
        select from unnest(n_unique_key) as u(key) join ${s}.jobs j on j.unique_key = u.key) loop
        begin
          if v_windows then
            ${takeWindows(s, `(select distinct on (n.unique_key) n.* from ${NEW} where ${FOR_MS} is not null order by n.unique_key) n`)}
            get diagnostics v_rows = row_count;
            if v_rows < (select count(${FOR_MS}) from ${NEW}) then raise unique_violation; end if;
          end if;
          with numbered as (
            insert into ${s}.ids (id, seq, session_id)
            select i.id, i.seq, i.session_id from unnest(n_id, v_seqs, n_session_id) as i(id, seq, session_id)
            where i.seq is not null order by case when v_callers then i.id end
          ), accepted as (
            ${insert}
            from ${NEW} order by n.unique_key, n.ord)
          select ${transitionGroupsSql(s, 'enqueue', ENQUEUE, { detail: 'n.detail', rows: NEW })} into records;
          -- None is large where all of them together are not.
          if octet_length(n_payload) > ${fastPaths.payloadInRow} or n_payload_bytes is not null then
            ${keepLargeSql(s, NEW, fastPaths)};
          end if;
          if v_known > 0 then
            outcomes := array(select case when n.seq is null then ${s}.known_id(n.id, n.spec) else 'created' end
              from ${INPUT} order by n.ord);
            ids := n_id;
          end if;
          return;
        exception when unique_violation then
          -- The statement was undone.
          v_seqs := array(select case when d.id is null then i.seq end
            from unnest(n_id, v_seqs) with ordinality as i(id, seq, ord) left join ${s}.ids d on d.id = i.id order by i.ord);
          -- No further id exists: the conflict is one of unique keys.
          exit when cardinality(array_positions(v_seqs, null)) = v_known;
          v_known := cardinality(array_positions(v_seqs, null));
        end;
      end loop;

      for n in select * from ${INPUT} order by n.ord loop
        v_outcome := case when n.seq is null then ${s}.known_id(n.id, n.spec) end;
        v_id := n.id;
        while v_outcome is null loop
          v_taken := false;
          if ${FOR_MS} is not null then
            ${takeWindows(s, ONE_ROW)}
            v_taken := found;
          end if;
          insert into ${s}.ids (id, seq, session_id) values (n.id, n.seq, n.session_id) on conflict do nothing;
          if not found then
            if v_taken then ${giveBack(s)} end if;
            v_outcome := ${s}.known_id(n.id, n.spec);
            v_id := n.id;
            exit;
          end if;
          select * into v_holder from ${s}.jobs j where j.unique_key = n.unique_key;
          if found and ${HOW} = 'replace' and v_holder.state <> 'leased' then
            -- Only now: the holder's end would wait for the end of this transaction, which may be a caller's.
            select * into v_holder from ${s}.jobs j where j.unique_key = n.unique_key for update;
          end if;
          if not found and ${FOR_MS} is not null and not v_taken then
            delete from ${s}.ids i where i.id = n.id;
            select l.value into v_window from ${s}.ledger l where l.key = ${WINDOW_KEY} and l.until > v_now;
            -- Otherwise its time is over since a moment ago.
            continue when not found;
            v_id := v_window->>0;
            v_outcome := case when ${HOW} = 'refuse' or (${HOW} = 'replace'
              and (v_window->>1 <> n.handler or v_window->>2 <> coalesce(n.tenant, ''))) then 'unique_conflict' else 'existing' end;
            exit;
          end if;
          if not found then
            ${insert}
            from ${ONE_ROW} on conflict do nothing;
            -- Otherwise somebody else has the key since a moment ago.
            if found then
              v_outcome := 'created';
              v_id := n.id;
              perform ${s}.replace_payload(n.seq, n.payload, n.payload_bytes);
              records := ${joinRecords('records', CREATED_RECORD)};
              exit;
            end if;
            delete from ${s}.ids i where i.id = n.id;
            if v_taken then ${giveBack(s)} end if;
            continue;
          end if;
          delete from ${s}.ids i where i.id = n.id;
          if v_taken then ${giveBack(s)} end if;
          v_id := v_holder.id;
          -- The payload of one handler means nothing to another one, and that of one tenant is not for another one.
          if ${HOW} = 'refuse' or (${HOW} = 'replace'
              and (v_holder.handler <> n.handler or v_holder.tenant <> coalesce(n.tenant, ''))) then
            v_outcome := 'unique_conflict';
          elsif ${HOW} = 'replace' and v_holder.state <> 'leased' then
            v_outcome := 'replaced';
            records := ${joinRecords('records', REPLACED_RECORD)};
            update ${s}.jobs j set
              ${replace}
            where j.seq = v_holder.seq;
            perform ${s}.replace_payload(v_holder.seq, n.payload, n.payload_bytes);
            -- It may have been released by its limit key, and other jobs wait behind it.
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

/** What an enqueue says of an id that a job has: with the digest of the job it is the same enqueue. Without a job, its batch is closed. */
function knownIdFunction(s: string): string {
  return `create or replace function ${s}.known_id(p_id text, p_spec text) returns text
    language plpgsql volatile as $$
    declare
      v_digest text := substring(p_spec from '"digest":"[^"]*"');
      v_spec text;
    begin
      if p_spec like '${BATCH_IN_SPEC}%' and not exists (select from ${s}.ids i where i.id = p_id) then
        return 'batch_closed';
      end if;
      if v_digest is null then
        return 'duplicate_id';
      end if;
      select coalesce(j.spec, f.spec, '') into v_spec from ${s}.ids i
        left join ${s}.jobs j on j.seq = i.seq left join ${s}.finished f on f.seq = i.seq where i.id = p_id;
      -- Without a row it was deleted a moment ago, after this enqueue had met it.
      return case when strpos(v_spec, v_digest) = 0 then 'idempotency_conflict' else 'existing' end;
    end $$;`;
}

/** Stores one dead letter that was never a job. Answers whether it is new. */
export function enqueueDeadFunction(s: string, fastPaths: FastPaths): string {
  const spec = { ...SPEC, ...replaced(fastPaths) };
  const state = `'dead'::${s}.job_state`;
  const record = transitionRecordSql('enqueue_dead', ENQUEUE_DEAD, {
    event: "'enqueue'",
    detail: 'n.detail',
  });
  return `
    create or replace function ${s}.enqueue_dead(
      p_now bigint, p_seq bigint, p_reason text, p_fingerprint text, p_pattern text, ${NEW_JOBS.parameters},
      out created boolean, out records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint := ${NOW};
      v_seqs bigint[] := array[nextval('${s}.job_seq')];
      n record;
    begin
      select * into n from ${INPUT};
      insert into ${s}.ids (id, seq, session_id) values (n.id, n.seq, n.session_id) on conflict do nothing;
      created := found;
      if created then
        ${insertSql({ ...ENQUEUE_DEAD, state }, `${s}.finished`, spec, 'enqueue_dead')}
        from ${ONE_ROW};
        perform ${s}.replace_payload(n.seq, n.payload, n.payload_bytes);
        perform ${s}.keep_groups(array[p_fingerprint], array[p_pattern]);
        records := ${record};
      end if;
    end $$;`;
}
