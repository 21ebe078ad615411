import { recordSql } from './audit-sql.ts';
import { JOB_COLUMNS } from './job-columns.ts';
import { NOW } from './now.ts';

const CHANGED = `revision = j.revision + 1, previous_block = j.audit_block, audit_block = coalesce(p_seq, 0)`;

const RECORD = (after: { revision: string; token: string; generation: string }) =>
  recordSql({
    id: 'j.id',
    event: 'p_act',
    from: 'v_from',
    to: 'state',
    at: 'v_now',
    executions: 'j.executions',
    previousBlock: 'j.audit_block',
    detail: 'p_detail',
    ...after,
  });

/** A payload is a text or bytes: where one of them is given, the other one goes. */
const EDITED = (given: string, before: string) =>
  `case when p_payload is null and p_payload_bytes is null then ${before} else ${given} end`;

/** What a requeue changes on the way back from the finished jobs; the others come over as they are. */
export const REQUEUED: Readonly<Record<string, string>> = {
  token: 'j.token + 1',
  generation_at: 'v_now',
  audit_block: 'coalesce(p_seq, 0)',
  previous_block: 'j.audit_block',
  deadline: 'coalesce(p_deadline_at, v_now + p_deadline_in)',
  revision: 'j.revision + 1',
  generation: 'j.generation + 1',
  claims: '0',
  failed: '0',
  lease_lost: '0',
  retry_count: '0',
  state: "'ready'",
  cancel_requested: 'false',
  reason: 'null',
  error_class: 'null',
  account: 'null',
  payload: EDITED('p_payload', 'j.payload'),
  payload_bytes: EDITED('p_payload_bytes', 'j.payload_bytes'),
};

/** What fresh attempts change where a job is. */
const FRESH = `token = j.token + 1, generation = j.generation + 1, generation_at = v_now, claims = 0, failed = 0,
  lease_lost = 0, retry_count = 0, account = null`;

/** The record of a new generation. */
const RENEWED = RECORD({
  revision: 'j.revision + 1',
  token: 'j.token + 1',
  generation: 'j.generation + 1',
});

/** Columns of a job that ends without an attempt. */
const ENDED: Readonly<Record<string, string>> = {
  audit_block: 'coalesce(p_seq, 0)',
  previous_block: 'audit_block',
  revision: 'revision + 1',
};

/** Moves the rows of a CTE `gone` to the finished jobs: an end without an attempt. */
export function finishSql(s: string, state: string, reason: string, fingerprint?: string): string {
  const values = JOB_COLUMNS.map((column) => {
    if (column === 'state') return `'${state}'`;
    if (column === 'reason') return `'${reason}'`;
    return ENDED[column] ?? column;
  });
  const group = fingerprint === undefined ? 'null' : `'${fingerprint}'`;
  return `insert into ${s}.finished (${JOB_COLUMNS.join(', ')}, finished_at, fingerprint)
    select ${values.join(', ')}, v_now, ${group} from gone`;
}

/** An operator's act on one job. Answers with the new state, or why not. */
export function actFunction(s: string): string {
  return `
    create or replace function ${s}.act(
      p_now bigint, p_seq bigint, p_act text, p_id text, p_detail text, p_deadline_at bigint, p_deadline_in bigint,
      p_generation integer default null, p_payload text default null, p_payload_bytes bytea default null, p_by text default null,
      out state text, out refusal text, out records text)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      v_now bigint := ${NOW};
      v_from text;
      v_seq bigint := (select i.seq from ${s}.ids i where i.id = p_id);
      j record;
    begin
      -- A second time, because a requeue may bring it back between the two looks.
      for v_look in 1..2 loop
        select * into j from ${s}.jobs where seq = v_seq for update;
        if found then
          v_now := ${NOW};
          v_from := case when j.state = 'held' then 'ready' else j.state::text end;
          if j.generation <> p_generation then
            refusal := 'changed';
            return;
          end if;
          if p_act = 'cancel' and v_from = 'leased' then
            state := 'leased';
            update ${s}.jobs j set cancel_requested = true, ${CHANGED} where j.seq = v_seq;
          elsif p_act = 'cancel' then
            state := 'cancelled';
            with gone as (delete from ${s}.jobs where seq = v_seq returning *)
            ${finishSql(s, 'cancelled', 'cancelled')};
            if j.state = 'ready' and j.limit_key is not null then
              perform ${s}.release_held(array[j.handler], array[j.limit_key], array[j.tenant]);
            end if;
          elsif (p_act = 'run_now' and v_from = 'scheduled') or (p_act = 'unpark' and v_from = 'parked') then
            state := 'ready';
            update ${s}.jobs j set state = 'ready', due_at = null, cause = null, ${CHANGED} where j.seq = v_seq;
          elsif p_act = 'reset' and v_from <> 'leased' then
            state := v_from;
            update ${s}.jobs j set ${FRESH}, ${CHANGED} where j.seq = v_seq;
            records := ${RENEWED};
            return;
          else
            refusal := 'illegal';
            return;
          end if;
          records := ${RECORD({ revision: 'j.revision + 1', token: 'j.token', generation: 'j.generation' })};
          return;
        end if;

        select * into j from ${s}.finished where seq = v_seq for update;
        if found then
          v_now := ${NOW};
          v_from := j.state::text;
          if j.generation <> p_generation then
            refusal := 'changed';
            return;
          end if;
          if p_act = 'requeue' then
            if exists (select from ${s}.jobs o where o.unique_key = j.unique_key) then
              refusal := 'unique_conflict';
              return;
            elsif v_from not in ('dead', 'cancelled') then
              refusal := 'illegal';
              return;
            end if;
            insert into ${s}.jobs (${JOB_COLUMNS.join(', ')})
            select ${JOB_COLUMNS.map((column) => REQUEUED[column] ?? `j.${column}`).join(', ')}
            on conflict do nothing;
            if not found then
              refusal := 'unique_conflict';
              return;
            end if;
            state := 'ready';
            delete from ${s}.finished where seq = v_seq;
            if p_payload is not null or p_payload_bytes is not null then
              perform ${s}.keep_payload(j.seq, j.generation, j.payload, j.payload_bytes, v_now, p_by);
            end if;
            records := ${RENEWED};
            return;
          elsif p_act = 'reset' and v_from in ('dead', 'cancelled') then
            state := v_from;
            update ${s}.finished j set ${FRESH}, ${CHANGED} where j.seq = v_seq;
            records := ${RENEWED};
            return;
          elsif p_act = 'purge' and v_from <> 'purged' then
            state := 'purged';
            update ${s}.finished j set state = 'purged', purged_from = j.state, purged_at = v_now, ${CHANGED} where j.seq = v_seq;
          elsif p_act = 'restore' and v_from = 'purged' then
            state := j.purged_from;
            update ${s}.finished j set state = j.purged_from, purged_from = null, purged_at = null, ${CHANGED} where j.seq = v_seq;
          else
            refusal := 'illegal';
            return;
          end if;
          records := ${RECORD({ revision: 'j.revision + 1', token: 'j.token', generation: 'j.generation' })};
          return;
        end if;
      end loop;
      refusal := 'not_found';
    end $$;`;
}
