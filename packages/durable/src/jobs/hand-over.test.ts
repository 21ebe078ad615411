import { definePolicy, isRetryError, retry } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { START_MS, workBench } from '../testing/work-bench.ts';

const policy = {
  id: 'calls',
  maxAttempts: 5,
  baseDelayMs: 1_000,
  jitter: 'none',
  horizonMs: 10_000,
  ttlMs: 7_200_000,
} as const;
const tooMany = Object.assign(new Error('slow down'), {
  status: 429,
  headers: { 'retry-after': '1200' },
});

function bench(calls: string[] = []) {
  return workBench({
    send: async (payload: { to: string }, { attempt, sessionId }) => {
      calls.push(`${payload.to} ${attempt} ${sessionId}`);
      return 'sent';
    },
    other: () => {},
  });
}

describe('a call whose wait is too long', () => {
  it('goes on as a job: the same session, deadline and time', async () => {
    const calls: string[] = [];
    const { jobs, clock, look } = bench(calls);
    const call = retry(() => Promise.reject(tooMany), policy, {
      clock,
      sessionId: 'session-1',
      tenantId: 'acme',
      correlationId: 'c1',
      traceId: 't1',
      idempotencyKey: 'order-7',
      handOver: { to: jobs.handOver, handler: 'send', payload: { to: 'ada' } },
    }).catch((error: unknown) => error);
    await clock.advance(10);
    const error = await call;
    if (!isRetryError(error)) throw error;
    expect(error.reason).toBe('handed_over');
    const job = await look('session-1');
    expect(job).toMatchObject({
      id: 'session-1',
      sessionId: 'session-1',
      handler: 'send',
      tenant: 'acme',
      correlationId: 'c1',
      traceId: 't1',
      idempotencyKey: 'order-7',
      state: 'scheduled',
      errorClass: 'rate_limited',
      deadlineMs: START_MS + 7_200_000,
      account: { claims: 0, executions: 1 },
    });
    expect(job.policyId).toBeUndefined();
    expect(job.dueAtMs).toBeGreaterThanOrEqual(START_MS + 1_200_000);
    await jobs.start();
    await clock.advance(3_600_000);
    expect(calls).toEqual(['ada 1 session-1']);
    expect(await jobs.wait('session-1')).toBe('sent');
  });

  it('is handed over once, however often; other work under its session id is refused', async () => {
    const { jobs, store } = bench();
    const work = {
      sessionId: 's',
      operation: 'op',
      policyId: 'p',
      handler: 'send',
      payload: { to: 'ada' },
      delayMs: 1_000,
      timeLeftMs: Infinity,
      rung: 'call' as const,
      policy: definePolicy(policy),
      attempts: [],
      totalAttempts: 1,
      idempotencyKey: 's',
      lastError: new Error('down'),
    };
    await jobs.handOver.handOver(work);
    await jobs.handOver.handOver(work);
    const conflict = { code: 'unique_conflict', details: { id: 's', handler: 'send' } };
    await expect(
      jobs.handOver.handOver({ ...work, payload: { to: 'somebody else' } }),
    ).rejects.toMatchObject(conflict);
    await expect(
      jobs.handOver.handOver({ ...work, payload: new Uint8Array([1]) }),
    ).rejects.toMatchObject(conflict);
    await expect(jobs.handOver.handOver({ ...work, handler: 'other' })).rejects.toThrow(
      /job of send has the session id s, .*call of other was not stored.*Give each session its own id/,
    );
    expect((await store.job('s'))?.payload).toEqual({ kind: 'json', text: '{"to":"ada"}' });
    expect((await store.counts()).groups).toMatchObject([{ state: 'scheduled', count: 1 }]);
    await expect(jobs.handOver.handOver({ ...work, handler: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_handler',
    });
    await expect(
      jobs.handOver.handOver({ ...work, payload: 1n, sessionId: 'x'.repeat(600) }),
    ).rejects.toThrow(/payload must be JSON.*sessionId must have at most/);
    await expect(
      jobs.handOver.handOver({ ...work, payload: 'x'.repeat(2_000_000) }),
    ).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('gives up as beyond the horizon where the job cannot be stored', async () => {
    const { jobs, clock } = bench();
    const call = retry(() => Promise.reject(tooMany), policy, {
      clock,
      handOver: { to: jobs.handOver, handler: 'nobody', payload: null },
    }).catch((error: unknown) => error);
    await clock.advance(10);
    expect(await call).toMatchObject({ reason: 'beyond_horizon' });
  });

  it('gives up as beyond the horizon where its session id has other work', async () => {
    const { jobs, clock } = bench();
    const call = async (to: string) => {
      const over = { to: jobs.handOver, handler: 'send', payload: { to } };
      const options = { clock, sessionId: 'same', handOver: over };
      const end = retry(() => Promise.reject(tooMany), policy, options).catch((e: unknown) => e);
      await clock.advance(10);
      return end;
    };
    expect(await call('ada')).toMatchObject({ reason: 'handed_over' });
    expect(await call('ada')).toMatchObject({ reason: 'handed_over' });
    expect(await call('bob')).toMatchObject({ reason: 'beyond_horizon' });
  });

  it('and back: calls inside a job share its deadline, its allowance and its signal', async () => {
    const inner: unknown[] = [];
    const { jobs, clock, look } = workBench({
      send: {
        run: async (_: unknown, { parent }) => {
          inner.push(parent.retries.count, parent.timeLeftMs(), parent.sessionId);
          await retry(
            () => Promise.reject(new Error('down')),
            { maxAttempts: 10, backoff: 'immediate' },
            { clock, parent },
          );
        },
        policy: { maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('send', null, { deadline: new Date(START_MS + 50_000) });
    await clock.advance(0);
    expect(inner).toEqual([0, 50_000, id]);
    expect(await look(id)).toMatchObject({ state: 'scheduled', reason: 'retryable_error' });
  });
});
