import { splitSql } from '../apply/array-literal.ts';
import { RECORD_SEPARATOR, recordSql } from './audit-sql.ts';
import type { Columns } from './columns.ts';
import { JOB_COLUMNS } from './job-columns.ts';

/** Columns of uniform successes: all other columns are null. Those with `once` have one value for all. */
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

/** Columns of a finished job that change; the others go over as they are. */
const CHANGES: Readonly<Record<string, string>> = {
  token: 'token + 1',
  audit_block: 'coalesce(p_seq, 0)',
  previous_block: 'audit_block',
  revision: 'revision + 1',
  generation: 's_generation[1]',
  claims: 's_claims[1]',
  executions: 's_executions[1]',
  failed: '0',
  lease_lost: '0',
  retry_count: '0',
  state: "'succeeded'",
  attempts: 'e_attempts',
  reason: 's_reason',
  error_class: 'null',
  account: "'1'",
};

/** Whether all of them succeeded, at the first attempt, and have nothing more to tell: most steps are like that. */
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
  return conditions.filter((condition) => condition !== undefined).join(' and ');
}

/** Ends such attempts. The fence is the same as everywhere: id and token, while it is leased. */
export function settleUniformSql(s: string): string {
  return `
      with gone as (
        delete from ${s}.jobs j
        using unnest(s_id, s_tid, ${splitSql('s_attempts')}, ${splitSql('s_detail')}, ${splitSql('s_result')})
          with ordinality as e(id, tid, attempts, detail, result, ord)
        where j.ctid = e.tid and j.id = e.id and j.token = s_token[1] and j.lease_since is not null
        returning j.*, e.ord::integer as e_ord, e.attempts as e_attempts, e.detail as e_detail, e.result as e_result
      ), kept as (
        insert into ${s}.finished (${JOB_COLUMNS.join(', ')}, finished_at, result)
        select ${JOB_COLUMNS.map((column) => CHANGES[column] ?? column).join(', ')}, v_now, e_result from gone
      )
      select array_agg(e_ord), array_agg(handler) filter (where limit_key is not null),
        array_agg(tenant) filter (where limit_key is not null),
        array_agg(limit_key) filter (where limit_key is not null),
        string_agg(${recordSql({
          id: 'id',
          revision: 'revision + 1',
          event: "'settle'",
          from: "'leased'",
          to: "'succeeded'",
          at: 'v_now',
          token: 'token + 1',
          generation: 's_generation[1]',
          executions: 's_executions[1]',
          previousBlock: 'audit_block',
          detail: 'coalesce(e_detail, s_detail)',
        })}, ${RECORD_SEPARATOR})
      into v_done, v_handlers, v_tenants, v_keys, records from gone;`;
}
