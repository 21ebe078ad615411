import { retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { auditSink } from '../audit/audit-sink.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { climbOf } from './climb.ts';

async function setUp() {
  const clock = virtualClock({ startMs: Date.UTC(2027, 0, 31) });
  const store = memoryStore({ clock });
  const events = auditSink(store, { clock });
  const mail = (_: object, { attempt }: { attempt: number }) => {
    if (attempt < 2) throw new Error('connection reset');
  };
  const jobs = jobsOn(store, { mail }, { clock, log: 'off' });
  const call = async (correlationId: string, failures: number, waitMs = 100) => {
    const policy = {
      maxAttempts: 3,
      baseDelayMs: waitMs,
      jitter: 'none',
      horizonMs: 1_000,
    } as const;
    const handOver = { to: jobs.handOver, handler: 'mail', payload: {} } as const;
    const options = { clock, events, correlationId, operation: 'pay', handOver };
    const done = retry(
      ({ attempt }) => {
        if (attempt <= failures) throw new Error('503');
      },
      policy,
      options,
    );
    await Promise.all([done.catch(() => undefined), clock.advance(1_000)]);
  };
  return { clock, store, events, jobs, call };
}

const SINCE = { sinceMs: 0 };

it('calls and jobs with the correlation id are steps, in the order in which they began', async () => {
  const { clock, store, events, jobs, call } = await setUp();
  await call('order-1', 1);
  await call('order-2', 0);
  await jobs.enqueue('mail', {}, { correlationId: 'order-1' });
  await jobs.enqueue('mail', {}, { correlationId: 'order-2' });
  await jobs.start();
  await clock.advance(300_000);
  await Promise.all([jobs.stop(), clock.advance(1_000)]);
  await Promise.all([events.close(), clock.advance(1_000)]);
  const { steps, complete } = await climbOf(store, 'order-1', SINCE);
  expect(complete).toBe(true);
  const seen = steps.map(({ rung, name, state, attempts }) => [
    ...[rung, name, state, attempts.map(({ success }) => success)],
  ]);
  expect(seen).toEqual([
    ['call', 'pay', 'succeeded', [false, true]],
    ['job', 'mail', 'succeeded', [false, true]],
  ]);
});

it('a call that was handed over is a step of its own, and its job has the attempts after it', async () => {
  const { clock, store, events, jobs, call } = await setUp();
  await call('order-1', 3, 5_000);
  await jobs.start();
  await clock.advance(300_000);
  await Promise.all([jobs.stop(), clock.advance(1_000)]);
  // The sink wrote nothing yet: the attempts of the call are those that its job has.
  const seen = async () => {
    const { steps } = await climbOf(store, 'order-1', SINCE);
    return steps.map(({ rung, state, attempts }) => [rung, state, attempts.length]);
  };
  const expected = [
    ['call', 'handed_over', 1],
    ['job', 'succeeded', 2],
  ];
  expect(await seen()).toEqual(expected);
  await Promise.all([events.close(), clock.advance(1_000)]);
  expect(await seen()).toEqual(expected);
});

it('jobs of other tenants are left out', async () => {
  const { store, jobs } = await setUp();
  await jobs.enqueue('mail', {}, { correlationId: 'order-1', tenant: 'acme' });
  await jobs.enqueue('mail', {}, { correlationId: 'order-1', tenant: 'other' });
  const { steps } = await climbOf(store, 'order-1', { ...SINCE, tenant: 'acme' });
  expect(steps).toHaveLength(1);
});
