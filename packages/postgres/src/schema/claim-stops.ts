import { KILL_LOCK } from './control-functions.ts';

/**
 * Reads what keeps ready jobs from being claimed: pauses, and kill switches.
 *
 * No claim that has not seen a kill switch is committed after it. So a claim shares a lock with all others until its commit,
 * and reads the switches in a statement of its own afterwards, which sees all that was committed before it had the lock.
 * An act that engages a switch waits until it has the lock alone. Meanwhile claims take nothing: they do not wait, because
 * ends of attempts are behind them.
 */
export function readStopsSql(s: string): string {
  return `
      if not pg_try_advisory_xact_lock_shared(${KILL_LOCK(s)}) then
        v_stopped := true;
        v_more := true;
      end if;
      select p.queues, p.handlers, p.tenants, v_stopped or p.everything
      into v_paused_queues, v_paused_handlers, v_killed_tenants, v_stopped from ${s}.stops p;`;
}
