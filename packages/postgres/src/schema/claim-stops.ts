import { KILL_LOCK } from './control-functions.ts';

/**
 * Reads what keeps ready jobs from being claimed: pauses, and kill switches.
 *
 * No claim that has not seen a kill switch is committed after it. So a claim shares a lock with all others until its commit,
 * and reads the switches in a statement of its own afterwards, which sees all that was committed before it had the lock.
 * Who engages a switch waits until he has the lock alone. While he does, claims take nothing: they do not wait, because
 * ends of attempts are behind them.
 */
export function readStopsSql(s: string): string {
  const names = (scopes: string): string =>
    `coalesce(array_agg(p.name) filter (where p.scope in (${scopes})), '{}')`;
  return `
      v_stopped := not pg_try_advisory_xact_lock_shared(${KILL_LOCK(s)});
      v_more := v_more or v_stopped;
      select ${names("'queue'")}, ${names("'handler', 'operation'")}, ${names("'tenant'")},
        v_stopped or coalesce(bool_or(p.scope = 'all'), false)
      into v_paused_queues, v_paused_handlers, v_killed_tenants, v_stopped
      from (
        select p.scope, p.name from ${s}.pauses p
        union all
        select split_part(c.key, ':', 1), substr(c.key, strpos(c.key, ':') + 1) from ${s}.controls c
        where c.kind = 'kill') p;`;
}
