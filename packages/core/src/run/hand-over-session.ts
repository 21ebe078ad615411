import { openAccount } from '../decide/account.ts';
import type { Failure } from './failure.ts';
import type { HandOverOption } from './hand-over.ts';
import type { SessionState } from './session-state.ts';
import { timekeeperOf } from './timekeeper.ts';

/** How long the next rung may take to accept a session. */
const HAND_OVER_TIMEOUT_MS = 30_000;

/** Gives the session to the next rung. What it cannot take is given up, as if there were no next rung. */
export async function handOverSession(
  session: SessionState,
  delayMs: number,
): Promise<'handed_over' | 'beyond_horizon'> {
  const { options, policy } = session;
  const { idempotencyKey, tenantId, correlationId, traceId } = options;
  const wakeUps = timekeeperOf(session.clock).wakeUps;
  const timeout = wakeUps.join(HAND_OVER_TIMEOUT_MS);
  const store = async () => {
    // `decide` hands over only where the call said how.
    const { to, handler, payload } = options.handOver as HandOverOption;
    const last = session.lastFailure as Failure; // It asked for the wait.
    await to.handOver({
      sessionId: session.id,
      operation: options.operation ?? policy.id,
      policyId: policy.id,
      handler,
      payload,
      delayMs,
      timeLeftMs: session.timeLeftMs(),
      account: { ...openAccount(), executions: last.attempt },
      rung: 'call',
      policy,
      attempts: last.toHandOver(),
      totalAttempts: last.attempt,
      tenantId,
      correlationId,
      traceId,
      idempotencyKey: idempotencyKey ?? session.id,
      lastError: last.error,
    });
    return 'handed_over' as const;
  };
  try {
    return await Promise.race([store(), timeout.promise.then(() => 'beyond_horizon' as const)]);
  } catch {
    return 'beyond_horizon';
  } finally {
    wakeUps.leave(timeout);
  }
}
