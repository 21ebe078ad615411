import { splitSql } from '../apply/array-literal.ts';
import { SHARED_MARK } from './audit-sql.ts';
import type { Columns } from './columns.ts';
import { moveSql, type TransitionSql, transitionGroupsSql } from './transition-sql.ts';

/** Columns of uniform successes: all other columns are null. A column with `once` has one value for all jobs. */
const UNIFORM: Readonly<Record<string, 'once' | 'each'>> = {
  id: 'each',
  tid: 'each',
  attempts: 'each',
  detail: 'each',
  result: 'each',
  token: 'once',
  next: 'once',
  reason: 'once',
  generation: 'once',
  claims: 'once',
  executions: 'once',
};

/** The values of first attempts that succeeded. */
const SUCCEEDED: TransitionSql = {
  of: 'g',
  to: ['succeeded'],
  given: {
    generation: 's_generation[1]',
    claims: 's_claims[1]',
    executions: 's_executions[1]',
    failed: '0',
    lease_lost: '0',
    account: "'1'",
    retry_count: '0',
    error_class: 'null',
    reason: 's_reason',
    attempts: 'g.e_attempts',
    result: 'g.e_result',
    result_omitted_bytes: 'null',
  },
};

/** Whether all of them succeeded, at the first attempt, and have nothing else to write: most steps are like that. */
export function isUniformSql(columns: Columns): string {
  const conditions = columns.map(([name, type]) => {
    const parameter = `s_${name}`;
    if (UNIFORM[name] === undefined) return `${parameter} is null`;
    if (name === 'next') return `${parameter} = 'succeeded'`;
    if (name === 'tid') return `${parameter} is not null`;
    if (UNIFORM[name] === 'each') return undefined;
    return type === 'joined'
      ? `strpos(${parameter}, E'\\x01') = 0`
      : `cardinality(${parameter}) = 1`;
  });
  // Details with values of their own are read by the general statement alone.
  conditions.push(`not starts_with(s_detail, ${SHARED_MARK})`);
  return conditions.filter((condition) => condition !== undefined).join('\n        and ');
}

/** Settles such attempts. The condition is the same as in `settle-function.ts`: id and token, while the job is leased. */
export function settleUniformSql(s: string): string {
  const detail = 'coalesce(g.e_detail, s_detail)';
  return `
      with gone as (
        delete from ${s}.jobs j
        using unnest(s_id, s_tid, ${splitSql('s_attempts')}, ${splitSql('s_detail')}, ${splitSql('s_result')})
          with ordinality as e(id, tid, attempts, detail, result, ord)
        where j.ctid = e.tid and j.id = e.id and j.token = s_token[1] and j.lease_since is not null
        returning j.*, e.ord::integer as e_ord, e.attempts as e_attempts, e.detail as e_detail, e.result as e_result
      ), kept as (
        ${moveSql('settle', SUCCEEDED, `${s}.finished`)}
        from gone g
      )
      select array_agg(g.e_ord), array_agg(g.handler) filter (where g.limit_key is not null),
        array_agg(g.tenant) filter (where g.limit_key is not null),
        array_agg(g.limit_key) filter (where g.limit_key is not null),
        ${transitionGroupsSql(s, 'settle', SUCCEEDED, { detail, rows: 'gone g' })}
      into v_done, v_handlers, v_tenants, v_keys, records from gone g;`;
}
