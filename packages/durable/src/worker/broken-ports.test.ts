import { type Breaker, type Budget, circuitBreaker, type Policy, retryBudget } from '@redrive/core';
import { REFUSED } from '@redrive/core/stored';
import { trackUnhandledRejections } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobsOptions } from '../jobs/jobs.ts';
import { workBench } from '../testing/work-bench.ts';

// What an application brings along may throw anywhere. Its job comes to an end all the same, and so do all others.

const broken = new Error('the port is broken');
const fail = (): never => {
  throw broken;
};
const policy = { maxAttempts: 3, backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;
const guarded = { ...policy, enableCircuitBreaker: true };

let rejections: ReturnType<typeof trackUnhandledRejections>;
beforeEach(() => {
  rejections = trackUnhandledRejections();
});
afterEach(async () => {
  const seen = await rejections.seen();
  rejections.stop();
  expect(seen).toEqual([]);
});

/** Jobs one after the other: the first one may meet what is broken. */
async function inTurn(run: () => unknown, options: JobsOptions = {}, given: Policy = guarded) {
  const handler = { run, policy: given, dependency: 'images' };
  const bench = workBench(
    { first: handler, next: { run: () => 'fine' } },
    { concurrency: 1, ...options },
  );
  const { id } = await bench.jobs.enqueue('first', null);
  const next = await bench.jobs.enqueue('next', null);
  await bench.jobs.start();
  await bench.clock.advance(100);
  expect((await bench.look(next.id)).state).toBe('succeeded');
  return { ...bench, first: await bench.look(id) };
}

describe('a look-up that throws, or answers null', () => {
  it.each<[string, JobsOptions]>([
    ['breakers', { breakers: { for: fail } }],
    ['breakers, null', { breakers: { for: () => null as never } }],
    ['budgets', { budgets: { for: fail } }],
    ['budgets, null', { budgets: { for: () => null as never } }],
    ['policies, null', { policies: () => null as never }],
  ])('of %s: every job of the claim runs', async (_, options) => {
    const { first } = await inTurn(() => 'done', options);
    expect(first).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
  });
});

describe('a guard that throws', () => {
  const withBreaker = (method: keyof Breaker): JobsOptions => {
    const breaker = Object.assign(circuitBreaker(), { [method]: fail });
    return { breakers: { for: () => breaker } };
  };
  const withBudget = (method: keyof Budget): JobsOptions => {
    const budget = Object.assign(retryBudget(), { [method]: fail });
    return { budgets: { for: () => budget } };
  };
  const down = () => Promise.reject(new Error('down'));

  it.each<[string, JobsOptions, () => unknown, string, string | undefined]>([
    ['admit of a breaker', withBreaker('admit'), () => 'done', 'scheduled', 'the port is broken'],
    ['record of a breaker', withBreaker('record'), () => 'done', 'succeeded', undefined],
    ['record of a breaker', withBreaker('record'), down, 'scheduled', 'down'],
    ['openForMs of a breaker', withBreaker('openForMs'), down, 'scheduled', 'down'],
    ['deposit of a budget', withBudget('deposit'), () => 'done', 'succeeded', undefined],
    ['allows of a budget', withBudget('allows'), down, 'scheduled', 'down'],
    ['take of a budget', withBudget('take'), down, 'scheduled', 'down'],
  ])('%s: told, and the job ends as it did (%#)', async (_, options, run, state, message) => {
    const { first, noticesOf } = await inTurn(run, options);
    expect(first.state).toBe(state);
    expect(first.attempts.kept[0]?.error?.message).toBe(message);
    expect(noticesOf('attempt_error')).toEqual([
      { kind: 'attempt_error', jobId: first.id, handler: 'first', error: broken },
    ]);
  });
});

describe('an answer that cannot be used', () => {
  const answering = (failure: object): Policy => ({
    ...guarded,
    classifyResult: () => failure as never,
  });

  it.each<[string, object]>([
    ['a hint that is no number', { errorClass: 'rate_limited', effect: 'none', retryAfterMs: 5n }],
    ['an effect that is none', { errorClass: 'rate_limited', effect: 5n }],
  ])('of classifyResult, %s: is a failure without it', async (_, failure) => {
    const { first, noticesOf } = await inTurn(() => 'done', {}, answering(failure));
    expect(first).toMatchObject({ state: 'scheduled', account: { entries: { failed: 1 } } });
    expect(noticesOf('attempt_error')).toEqual([]);
  });

  it.each<[string, object]>([
    ['an object without errorClass', { class: 'retryable' }],
    ['an unknown class', { errorClass: 'transient' }],
  ])('of classifyResult, %s: the job is dead, and says so', async (_, failure) => {
    const { first } = await inTurn(() => 'done', {}, answering(failure));
    expect(first).toMatchObject({ state: 'dead', reason: 'final_error' });
    const [attempt] = first.attempts.kept;
    expect(attempt?.error?.message).toMatch(/^errorClass of classifyResult must be one of/);
    expect(attempt?.input?.outcome).toMatchObject({ effect: 'unknown' });
  });

  it('of a breaker, a time that is none: is a failure, which is reported', async () => {
    const refusing = { admit: () => REFUSED, openForMs: () => 5n };
    const breaker = Object.assign(circuitBreaker(), refusing as never);
    const { first, noticesOf } = await inTurn(() => 'done', { breakers: { for: () => breaker } });
    expect(first).toMatchObject({ state: 'scheduled', account: { entries: { failed: 1 } } });
    expect(first.attempts.kept[0]?.input?.outcome).toMatchObject({ effect: 'none' });
    expect(noticesOf('attempt_error')).toMatchObject([{ error: { name: 'TypeError' } }]);
  });

  it('of a handler, a verdict that nobody knows: is dead, and says so', async () => {
    const verdict = { [Symbol.for('redrive.verdict')]: true, kind: 'later', message: '' };
    const { first } = await inTurn(() => verdict);
    expect(first).toMatchObject({ state: 'dead', reason: 'final_error' });
    expect(first.attempts.kept[0]?.error?.message).toBe(
      'The handler returned an unknown verdict: later',
    );
  });

  it('of a handler, one that throws when it is looked at: is a failure, which is reported', async () => {
    const { first, noticesOf } = await inTurn(() => new Proxy({}, { has: fail }));
    expect(first).toMatchObject({ state: 'scheduled', account: { entries: { failed: 1 } } });
    expect(noticesOf('attempt_error')).toMatchObject([{ jobId: first.id, error: broken }]);
  });
});
