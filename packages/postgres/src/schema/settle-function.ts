import { splitSql } from '../apply/array-literal.ts';
import { joinRecords, SHARED_MARK } from './audit-sql.ts';
import { type Columns, columnParameters, listed } from './columns.ts';
import { NOW } from './now.ts';
import { isUniformSql, settleUniformSql } from './settle-uniform.ts';
import { moveSql, setSql, type TransitionSql, transitionGroupsSql } from './transition-sql.ts';

/** The parameters that describe outcomes of attempts. */
export const SETTLEMENT_COLUMNS = [
  ['id', 'text'],
  ['tid', 'tid'],
  ['token', 'bigint', 'alike'],
  ['next', 'joined', 'alike'],
  ['reason', 'joined', 'alike'],
  ['attempts', 'joined'],
  ['detail', 'joined', 'alike'],
  ['generation', 'integer', 'alike'],
  ['claims', 'integer', 'alike'],
  ['executions', 'integer', 'alike'],
  ['failed', 'integer'],
  ['lease_lost', 'integer'],
  ['account', 'joined'],
  ['retry_count', 'integer'],
  ['error_class', 'joined'],
  ['due_in', 'bigint'],
  ['cause', 'text'],
  ['result', 'joined'],
  ['result_omitted', 'bigint'],
  ['expired', 'boolean'],
  ['unfit', 'boolean'],
  ['fingerprint', 'joined'],
  ['pattern', 'joined'],
] as const satisfies Columns;

export type SettlementColumn = (typeof SETTLEMENT_COLUMNS)[number][0];

export const SETTLEMENTS = columnParameters(SETTLEMENT_COLUMNS, 's_', 'e');
const INPUT = SETTLEMENTS.rows();

/**
 * The condition that keeps a late worker out: the id and the token must match, and the job must be leased. The condition
 * is not `state = 'leased'`: with it, the planner may read all leases for each settlement. Only a leased row has a
 * `lease_since`, so that column serves.
 */
const FENCE = `
  j.id = e.id and j.token = e.token and j.lease_since is not null
  and e.unfit is null and (e.expired is null or (j.lease_until <= v_now and e.ord = any(v_free)))`;

/** How the row of a settlement is found: by the place that the claim returned, or by its id. */
const BY_PLACE = 'j.ctid = e.tid';
const BY_ID = `i.id = e.id and j.seq = i.seq and e.ord <> all(coalesce(v_done, '{}'))`;

const IS_FINAL = "e.next in ('succeeded', 'dead', 'cancelled')";

const IS_OVER = `(${IS_FINAL} or j.cancel_requested)`;

const EVENT = "case when e.expired then 'lease_lost' else 'settle' end";

/** The values of a settlement. An empty text arrives as null. */
const GIVEN = {
  generation: 'e.generation',
  claims: 'e.claims',
  executions: 'e.executions',
  failed: 'coalesce(e.failed, 0)',
  lease_lost: 'coalesce(e.lease_lost, 0)',
  account: "coalesce(e.account, '1')",
  retry_count: 'coalesce(e.retry_count, 0)',
  error_class: 'e.error_class',
  reason: 'e.reason',
  attempts: 'e.attempts',
} as const;

/** A result that is not final, of a job that is not cancelled. */
const GOES_ON: TransitionSql = {
  of: 'j',
  to: ['scheduled', 'ready', 'parked'],
  state: 't.state',
  given: { ...GIVEN, cause: 'e.cause', dueInMs: 'coalesce(e.due_in, 0)' },
};

/** The values of a row that is finished and leaves the table of jobs. */
const FINAL = {
  ...GIVEN,
  reason: `case when ${IS_FINAL} then e.reason else 'cancelled' end`,
  fingerprint: 'e.fingerprint',
  result: 'e.result',
  result_omitted_bytes: 'e.result_omitted',
} as const;

/** The same values after the row was deleted: `returning` gives them names of their own (`e_…`), beside the row's columns. */
const ENDS: TransitionSql = {
  of: 'g',
  state: 'g.e_state',
  to: ['succeeded', 'dead', 'cancelled'],
  given: Object.fromEntries(Object.keys(FINAL).map((column) => [column, `g.e_${column}`])),
};

/** Moves finished jobs to the table `finished`: those that match `found` and `over`. Adds them to `v_done`. */
function endSql(s: string, input: string, found: string, over: string): string {
  return `
      with gone as (
        delete from ${s}.jobs j using ${input} where ${found} and ${FENCE} and ${over}
        returning j.*, e.ord::integer as e_ord, e.detail as e_detail, ${EVENT} as e_event,
          (case when ${IS_FINAL} then e.next else 'cancelled' end)::${s}.job_state as e_state,
          ${listed(Object.entries(FINAL).map(([column, sql]) => `${sql} as e_${column}`))}
      ), kept as (
        ${moveSql('settle', ENDS, `${s}.finished`)}
        from gone g
      )
      select v_done || array_agg(g.e_ord), v_handlers || array_agg(g.handler) filter (where g.limit_key is not null),
        v_tenants || array_agg(g.tenant) filter (where g.limit_key is not null),
        v_keys || array_agg(g.limit_key) filter (where g.limit_key is not null),
        v_fingerprints || array_agg(distinct g.e_fingerprint) filter (where g.e_state = 'dead' and g.e_fingerprint is not null),
        ${joinRecords(
          'records',
          transitionGroupsSql(s, 'settle', ENDS, {
            event: 'g.e_event',
            detail: 'g.e_detail',
            rows: 'gone g',
            shared: 'v_shared',
          }),
        )}
      into v_done, v_handlers, v_tenants, v_keys, v_fingerprints, records from gone g;`;
}

/** Changes the rows of jobs that are not finished: those that match `found`. Adds them to `v_done`. */
function goOnSql(s: string, input: string, found: string): string {
  const state = `(case when e.next = 'scheduled' and coalesce(e.due_in, 0) <= 0 then 'ready' else e.next end)::${s}.job_state`;
  return `
      if cardinality(v_done) is distinct from v_count then
        with changed as (
          update ${s}.jobs j set
            ${setSql('settle', GOES_ON)}
          from ${input}, lateral (select ${state} as state) t where ${found} and ${FENCE} and not ${IS_OVER}
          returning e.ord::integer as ord, j.handler, j.limit_key, j.tenant, j.id, j.state, j.revision, j.token,
            j.generation, j.executions, j.previous_block, ${EVENT} as event, e.detail
        )
        select v_done || array_agg(ord), v_handlers || array_agg(handler) filter (where limit_key is not null),
        v_tenants || array_agg(tenant) filter (where limit_key is not null),
          v_keys || array_agg(limit_key) filter (where limit_key is not null),
          ${joinRecords(
            'records',
            transitionGroupsSql(
              s,
              'settle',
              { of: 'c', state: 'c.state' },
              {
                event: 'c.event',
                detail: 'c.detail',
                written: true,
                rows: 'changed c',
                shared: 'v_shared',
              },
            ),
          )}
        into v_done, v_handlers, v_tenants, v_keys, records from changed;
      end if;`;
}

/**
 * Settles attempts. Ids must differ. `refused` has the places of refused settlements (counted from 1), `refusals` the
 * reasons; both are null if none was refused. `released` is the number of held jobs that became claimable.
 *
 * A claim returns the place of each row (`tid`), and the row is nearly always still there: then no index is needed to find
 * it. The others are found by their ids. The fence is the same.
 */
export function settleFunction(s: string): string {
  return `
    create or replace function ${s}.settle(
      p_now bigint, p_seq bigint, ${SETTLEMENTS.parameters},
      out refused integer[], out refusals text[], out released integer, out records text)
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      v_count integer := cardinality(s_id);
      v_done integer[];
      v_handlers text[];
      v_keys text[];
      v_tenants text[];
      v_fingerprints text[];
      v_patterns text[];
      v_free integer[];
      v_shared text;
    begin
      if s_expired is not null then
        -- A rescue waits for no row: a process that has locked it is about to settle or rescue the attempt, or hangs. Rows
        -- that are unlocked must not wait for it, and a worker that settles its own leases locks rows in another order.
        v_free := array(
          select e.ord::integer from ${INPUT}, ${s}.ids i, ${s}.jobs j
          where e.expired and i.id = e.id and j.seq = i.seq and j.token = e.token and j.lease_since is not null
          for update of j skip locked);
      end if;
      if ${isUniformSql(SETTLEMENT_COLUMNS)} then
        ${settleUniformSql(s)}
      else
        if starts_with(s_detail, ${SHARED_MARK}) then
          v_shared := split_part(s_detail, ${SHARED_MARK}, 2);
          s_detail := split_part(s_detail, ${SHARED_MARK}, 3);
        end if;
        if s_tid is not null then
          -- The row of a job that goes on is not read here: if it is cancelled, it is found by its id below.
          if s_next not in ('scheduled', 'ready', 'parked') then
            ${endSql(s, INPUT, BY_PLACE, IS_FINAL)}
          end if;
          ${goOnSql(s, INPUT, BY_PLACE)}
        end if;
      end if;
      -- A second time, because a cancellation that the first one has waited for leads elsewhere.
      for v_look in 1..2 loop
        exit when cardinality(v_done) = v_count;
        ${endSql(s, `${INPUT}, ${s}.ids i`, BY_ID, IS_OVER)}
        ${goOnSql(s, `${INPUT}, ${s}.ids i`, BY_ID)}
      end loop;
      records := nullif(records, '');

      if v_fingerprints is not null then
        select array_agg(e.fingerprint), array_agg(e.pattern) into v_fingerprints, v_patterns
        from unnest(${splitSql('s_fingerprint')}, ${splitSql('s_pattern')}) as e(fingerprint, pattern)
        where e.fingerprint = any(v_fingerprints);
        perform ${s}.keep_groups(v_fingerprints, v_patterns);
      end if;

      if v_keys is not null then
        released := ${s}.release_held(v_handlers, v_keys, v_tenants);
      end if;

      if cardinality(v_done) is distinct from v_count then
        select array_agg(e.ord), array_agg(case
          when i.id is null then 'not_found'
          when j.seq is null or j.token <> e.token or j.lease_since is null then 'stale_token'
          when e.expired and (j.lease_until > v_now or e.ord <> all(v_free)) then 'lease_alive'
          else 'illegal' end)
        into refused, refusals
        from ${INPUT} left join ${s}.ids i on i.id = e.id left join ${s}.jobs j on j.seq = i.seq
        where e.ord <> all(coalesce(v_done, '{}'));
      end if;
    end $$;`;
}
