import { openAccount, settleAttempt } from '@redrive/core/stored';
import {
  type ClaimCommand,
  type ControlCommand,
  type EnqueueCommand,
  type LeasedJob,
  NO_ATTEMPTS,
  type SettleCommand,
} from '@redrive/durable/store';

// Commands with everything filled in, so that a test says only what it is about.

export function enqueueOf(
  id: string,
  { due, onConflict = 'existing', ...spec }: Partial<EnqueueCommand['job'] & EnqueueCommand> = {},
): EnqueueCommand {
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
      payload: { kind: 'json', text: '1' },
      sessionId: id,
      idempotencyKey: id,
      ...spec,
    },
    due,
    onConflict,
    account: openAccount(),
    actor: { name: 'test' },
  };
}

export function claimOf(
  with_: Partial<ClaimCommand> & { readonly limitPerKey?: number } = {},
): ClaimCommand {
  const { limitPerKey = 1, ...rest } = with_;
  return {
    kind: 'claim',
    worker: 'worker-1',
    leaseMs: 30_000,
    lanes: [{ handler: 'mail', limit: 1_000, policyHash: 'policy-1', limitPerKey }],
    limit: 100,
    ahead: 0,
    ...rest,
  };
}

export function succeededOf(job: LeasedJob): SettleCommand {
  return settleOf(job, {});
}

/** The end of an attempt: a success, unless the test says something else. */
export function settleOf(
  { id, token, account }: LeasedJob,
  with_: Partial<SettleCommand['settlement']>,
): SettleCommand {
  return {
    kind: 'settle',
    settlement: {
      id,
      token,
      by: 'held',
      to: 'succeeded',
      account: settleAttempt(account, 'succeeded', 0),
      retryCount: 0,
      reason: 'succeeded',
      attempts: NO_ATTEMPTS,
      detail: '{}',
      ...with_,
    },
  };
}

/** A change of a control document; without one it is taken away. */
export function controlOf(
  of: ControlCommand['of'],
  key: string,
  expect: number,
  document: string | undefined,
): ControlCommand {
  return { kind: 'control', of, key, expect, document };
}

/** Engages a kill switch that is not engaged. */
export function killOf(key: string): ControlCommand {
  return controlOf('kill', key, 0, '{}');
}

/** Ids that sort as they are counted. */
export function ids(count: number, prefix = 'job'): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(5, '0')}`);
}
