import {
  type KillSwitchCall,
  pipeline,
  type RetryRecord,
  retry,
  retryBudget,
  retrySession,
  syncSink,
} from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { expectNoTimers, settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const policy = { id: 'orders', baseDelayMs: 1_000, jitter: 'none' } as const;
const down = new Error('down');

/** A switch that can be thrown. */
function killSwitch(engaged: boolean) {
  const calls: KillSwitchCall[] = [];
  return {
    calls,
    engaged,
    isEngaged(call: KillSwitchCall) {
      calls.push(call);
      return this.engaged;
    },
  };
}

describe('an engaged kill switch', () => {
  it('ends retries before the wait, with the last error and without a time to come back', async () => {
    const clock = virtualClock();
    const operation = vi.fn(() => Promise.reject(down));
    const call = retry(operation, policy, { clock, killSwitch: killSwitch(true) });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: 'kill_switch',
      totalAttempts: 1,
      cause: down,
      retryAt: undefined,
      errorClass: 'retryable',
    });
    expect(operation).toHaveBeenCalledTimes(1);
    expectNoTimers(clock);
  });

  it('that is thrown during the wait ends them after it', async () => {
    const clock = virtualClock();
    const operation = vi.fn(() => Promise.reject(down));
    const stop = killSwitch(false);
    const call = retry(operation, policy, { clock, killSwitch: stop }).catch((error) => error);
    await settle();
    stop.engaged = true;
    await clock.runAll();
    expect(await call).toMatchObject({ reason: 'kill_switch', totalAttempts: 1 });
    expect(operation).toHaveBeenCalledTimes(1);
    expect(stop.calls).toHaveLength(2);
  });

  it('is never asked before the first attempt, nor after a final error', async () => {
    const stop = killSwitch(true);
    expect(await retry(() => 'up', policy, { killSwitch: stop })).toBe('up');
    const final = new TypeError('no');
    await expect(retry(() => Promise.reject(final), policy, { killSwitch: stop })).rejects.toBe(
      final,
    );
    expect(stop.calls).toEqual([]);
  });

  it('counts as engaged when it throws', async () => {
    const broken = {
      isEngaged: () => {
        throw new Error('no view of the switches');
      },
    };
    await expect(
      retry(() => Promise.reject(down), policy, { killSwitch: broken }),
    ).rejects.toMatchObject({ reason: 'kill_switch', cause: down });
  });

  it('is told of the operation, the tenant, and whether the call is in a job', async () => {
    const stop = killSwitch(true);
    const options = { killSwitch: stop, operation: 'order.send', tenantId: 'acme' };
    await retry(() => Promise.reject(down), policy, options).catch(() => {});
    const parent = {
      sessionId: 's',
      retries: { count: 0 },
      timeLeftMs: () => Infinity,
      inJob: true,
    };
    await retry(
      (outer) => retry(() => Promise.reject(down), policy, { killSwitch: stop, parent: outer }),
      policy,
      { parent },
    ).catch(() => {});
    expect(stop.calls).toEqual([
      { operation: 'order.send', tenantId: 'acme', inJob: false },
      { operation: 'orders', tenantId: undefined, inJob: true },
    ]);
  });

  it('gives the budget its token back, and is recorded as the reason', async () => {
    const budget = retryBudget({ burst: 5, floorPerSecond: 0 });
    const records: RetryRecord[] = [];
    const events = syncSink((record) => records.push(record));
    const options = { budget, events, killSwitch: killSwitch(true) };
    await retry(() => Promise.reject(down), policy, options).catch(() => {});
    expect(budget.tokens).toBe(5);
    expect(records.slice(1)).toMatchObject([
      { kind: 'attempt_ended', decision: { action: 'retry' } },
      { kind: 'session_ended', reason: 'kill_switch', totalAttempts: 1, success: false },
    ]);
  });

  it('is an option of a pipeline, of a loop and of the manager', async () => {
    const options = { killSwitch: killSwitch(true) };
    const fail = () => Promise.reject(down);
    const loop = async () => {
      for await (const attempt of retrySession(policy, options)) attempt.fail(down);
    };
    const manager = new RetryManager(options);
    for (const call of [
      pipeline({ policy, ...options }).run(fail),
      pipeline({ policy }).run(fail, options),
      loop(),
      manager.executeWithRetry('KV_GET', 'get', fail),
    ]) {
      await expect(call).rejects.toMatchObject({ reason: 'kill_switch' });
    }
  });
});
