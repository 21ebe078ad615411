import { openAccount, settleAttempt } from '@redrive/core/stored';
import type {
  ClaimCommand,
  EnqueueCommand,
  LeasedJob,
  SettleCommand,
  SettledState,
} from '@redrive/durable/store';

// Commands with everything filled in, so that a test says only what it is about.

export function enqueueOf(id: string, job: Partial<EnqueueCommand['job']> = {}): EnqueueCommand {
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: 'mail',
      queue: 'default',
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: '{"n":1}' },
      sessionId: id,
      idempotencyKey: id,
      ...job,
    },
    onConflict: 'existing',
    account: openAccount(),
    actor: { name: 'test' },
  };
}

export function claimOf(limit: number, more: Partial<ClaimCommand> = {}): ClaimCommand {
  const lane = { handler: 'mail', policyHash: 'policy-1', limitPerKey: 1 };
  return {
    kind: 'claim',
    worker: 'worker-1',
    leaseMs: 30_000,
    lanes: [{ ...lane, limit }],
    limit,
    ahead: 0,
    ...more,
  };
}

export function settleOf(job: LeasedJob, to: SettledState = 'succeeded'): SettleCommand {
  const entry = to === 'succeeded' ? 'succeeded' : 'failed';
  return {
    kind: 'settle',
    settlement: {
      id: job.id,
      token: job.token,
      by: 'held',
      to,
      account: settleAttempt(job.account, entry, 0),
      retryCount: job.retryCount,
      reason: to === 'succeeded' ? 'succeeded' : 'retryable_error',
      attempts: job.attempts,
      detail: '{}',
    },
  };
}
