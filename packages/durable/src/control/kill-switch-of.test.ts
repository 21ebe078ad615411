import { isRetryError, retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobContext } from '../handler/job-context.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { type KillSwitchOptions, killSwitchOf } from './kill-switch-of.ts';
import { pauseWork } from './kill-switches.ts';

const CALL = { operation: 'charge', tenantId: 'acme', inJob: false } as const;

async function setUp(onStale: KillSwitchOptions['onStale'] = 'fail-closed') {
  const clock = virtualClock({ startMs: START_MS });
  const store = faultyStore(memoryStore({ clock }));
  const notices: string[] = [];
  const onNotice = ({ kind }: { kind: string }) => void notices.push(kind);
  const killSwitch = killSwitchOf(store, { onStale, onNotice, clock });
  onTestFinished(() => killSwitch.close());
  await clock.advance(0);
  await killSwitch.ready();
  return { clock, store, notices, killSwitch };
}

describe('a kill switch of the store, asked by calls in process', () => {
  it.each(['all', 'operation:charge', 'tenant:acme'])(
    'of %s is engaged within a second, and until it is released',
    async (key) => {
      const { clock, store, killSwitch } = await setUp();
      expect(killSwitch.isEngaged(CALL)).toBe(false);
      await engage(store, key);
      await clock.advance(1_000);
      expect(killSwitch.isEngaged(CALL)).toBe(true);
      await disengage(store, key);
      await clock.advance(1_000);
      expect(killSwitch.isEngaged(CALL)).toBe(false);
    },
  );

  it('of something else is not', async () => {
    const { clock, store, killSwitch } = await setUp();
    for (const key of ['queue:charge', 'operation:mail', 'tenant:other']) await engage(store, key);
    await pauseWork(store, { scope: 'handler', name: 'charge', actor: { name: 'ann' } });
    await clock.advance(1_000);
    expect(killSwitch.isEngaged(CALL)).toBe(false);
    expect(killSwitch.isEngaged({ ...CALL, operation: 'mail' })).toBe(true);
  });

  it('of no tenant is engaged for a call without one', async () => {
    const { clock, store, killSwitch } = await setUp();
    await engage(store, 'tenant:');
    await clock.advance(1_000);
    expect(killSwitch.isEngaged(CALL)).toBe(false);
    expect(killSwitch.isEngaged({ ...CALL, tenantId: undefined })).toBe(true);
  });

  it('stops a call inside a running job only where it interrupts', async () => {
    const { clock, store, killSwitch } = await setUp();
    await engage(store, 'all', 'finish');
    await clock.advance(1_000);
    expect(killSwitch.isEngaged({ ...CALL, inJob: true })).toBe(false);
    await engage(store, 'all', 'interrupt');
    await clock.advance(1_000);
    expect(killSwitch.isEngaged({ ...CALL, inJob: true })).toBe(true);
  });

  it('ends retries with kill_switch before the next attempt', async () => {
    const { clock, store, killSwitch } = await setUp();
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    const policy = { maxAttempts: 5, baseDelayMs: 5_000, jitter: 'none' } as const;
    const call = retry(operation, policy, { operation: 'charge', killSwitch, clock });
    const error = call.catch((thrown: unknown) => thrown);
    await clock.advance(1_000);
    await engage(store, 'operation:charge');
    await clock.advance(60_000);
    expect(isRetryError(await error, 'kill_switch')).toBe(true);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('is asked without I/O per call', async () => {
    const { store, killSwitch } = await setUp();
    const asked = [vi.spyOn(store, 'controls'), vi.spyOn(store, 'controlRevision')];
    for (let n = 0; n < 1_000; n++) killSwitch.isEngaged(CALL);
    for (const spy of asked) expect(spy).not.toHaveBeenCalled();
  });
});

describe('while the store is away', () => {
  it.each([
    ['fail-closed', true, true],
    ['fail-open', false, true],
  ] as const)(
    '%s: nothing known to be engaged is %s, a known one %s',
    async (onStale, unknown, known) => {
      const { clock, store, killSwitch, notices } = await setUp(onStale);
      await engage(store, 'tenant:other');
      await clock.advance(1_000);
      store.fault = { calls: ['controls', 'controlRevision'], when: 'before' };
      // Confirmed at most a poll before the fault, so it holds for some time yet.
      await clock.advance(500);
      expect(killSwitch.isEngaged(CALL)).toBe(false);
      await clock.advance(3_000);
      expect(killSwitch.isEngaged(CALL)).toBe(unknown);
      expect(killSwitch.isEngaged({ ...CALL, tenantId: 'other' })).toBe(known);
      // A running attempt may finish, as its worker lets it.
      expect(killSwitch.isEngaged({ ...CALL, inJob: true })).toBe(false);
      store.fault = undefined;
      await clock.advance(2_000);
      expect(killSwitch.isEngaged(CALL)).toBe(false);
      expect(notices).toEqual(['controls_unconfirmed', 'controls_confirmed']);
    },
  );

  it('from the start, nothing is known yet', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const [closed, open] = (['fail-closed', 'fail-open'] as const).map((onStale) =>
      killSwitchOf(store, { onStale, clock }),
    );
    expect([closed?.isEngaged(CALL), open?.isEngaged(CALL)]).toEqual([true, false]);
    closed?.close();
    open?.close();
  });
});

it('leaves no timer behind, and holds no process', async () => {
  const { clock, killSwitch } = await setUp();
  expect(clock.holdingTimers).toBe(0);
  killSwitch.close();
  await clock.advance(5_000);
  expect(clock.pendingTimers).toBe(0);
  expect(killSwitch.isEngaged(CALL)).toBe(true);
});

it('says what is wrong with its options', () => {
  const make = (options?: unknown) => () =>
    killSwitchOf(memoryStore(), options as KillSwitchOptions); // As plain JavaScript would.
  expect(make()).toThrow('onStale must be one of fail-closed, fail-open, not undefined');
  expect(make({ onStale: 'open' })).toThrow('not the string "open"');
});

it('in a handler: kill engage all lets the running attempt retry, with interrupt it does not', async () => {
  const { clock, store, killSwitch } = await setUp();
  const calls: number[] = [];
  const run = (_: unknown, { parent }: JobContext) => {
    const operation = () => {
      calls.push(clock.now() - START_MS);
      return Promise.reject(new Error('down'));
    };
    const policy = {
      maxAttempts: 4,
      baseDelayMs: 2_000,
      jitter: 'none',
      backoff: 'fixed',
    } as const;
    return retry(operation, policy, { killSwitch, clock, parent });
  };
  const { jobs } = workBench({ run }, { store }, clock);
  await jobs.start();
  await jobs.enqueue('run', null);
  await clock.advance(100);
  await engage(store, 'all', 'finish');
  await clock.advance(2_500);
  expect(calls).toHaveLength(2);
  await engage(store, 'all', 'interrupt');
  await clock.advance(60_000);
  expect(calls).toHaveLength(2);
  await disengage(store, 'all');
});
