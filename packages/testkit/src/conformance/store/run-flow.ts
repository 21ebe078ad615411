import { deepEqual, equal } from 'node:assert/strict';
import type { AttemptOutcome } from '@redrive/core/stored';
import { claimedIds, claimOne, enqueue, find } from './commands.ts';
import { same } from './plain.ts';
import { decidedEnd, POLICY, RETRYABLE, settled } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** The life of a run. What is about order or filters is in those files. */
export function runFlowTests({ test }: StoreSuite): void {
  test('rate-limited scheduling: waits for the hint, and the attempt does not count', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    const limited: AttemptOutcome = {
      kind: 'failure',
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 30_000,
    };
    for (let round = 1; round <= 5; round++) {
      const end = decidedEnd(await claimOne(store), limited, clock.now());
      await settled(store, end);
      const job = await find(store, 'job-1');
      same(
        [job.state, job.retryCount, job.errorClass, job.reason],
        ['scheduled', 0, 'rate_limited', 'rate_limited'],
      );
      equal(job.dueAtMs, clock.now() + (end.dueInMs ?? 0));
      equal(job.account.entries.rate_limited, round);
      await clock.advance(29_999);
      deepEqual(await claimedIds(store), [], 'never before the hint');
      await clock.advance((end.dueInMs ?? 0) - 29_999);
    }
    equal((await find(store, 'job-1')).account.freeWaits, 5);
  });

  test('rate-limited scheduling: without a hint it counts like any other failure', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    const limited: AttemptOutcome = {
      kind: 'failure',
      errorClass: 'rate_limited',
      effect: 'none',
    };
    await settled(store, decidedEnd(await claimOne(store), limited, clock.now()));
    const job = await find(store, 'job-1');
    same([job.state, job.retryCount, job.errorClass], ['scheduled', 1, 'rate_limited']);
    equal(job.account.entries.failed, 1);
  });

  test('permanent failure: dead at once, with any number of attempts left', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    const final: AttemptOutcome = { kind: 'failure', errorClass: 'final', effect: 'none' };
    await settled(store, decidedEnd(await claimOne(store), final, clock.now()));
    const job = await find(store, 'job-1');
    same(
      [job.state, job.reason, job.errorClass, job.dueAtMs, job.retryCount],
      ['dead', 'final_error', 'final', undefined, 0],
    );
    await clock.advance(86_400_000);
    deepEqual(await claimedIds(store), []);
  });

  test('clearing on success: retry count, next retry and error class', async ({ store, clock }) => {
    await enqueue(store, 'job-1');
    await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
    const waiting = await find(store, 'job-1');
    same([waiting.retryCount, waiting.errorClass], [1, 'retryable']);
    await clock.advance(1_000);
    const started = await claimOne(store);
    same([started.retryCount, started.dueAtMs], [1, undefined], 'starting clears the time only');
    await settled(store, decidedEnd(started, { kind: 'success' }, clock.now()));
    const done = await find(store, 'job-1');
    same(
      [done.state, done.retryCount, done.errorClass, done.dueAtMs],
      ['succeeded', 0, undefined, undefined],
    );
  });

  test('back-off and max attempts: each wait is longer, and the last attempt is the last', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    for (const waitMs of [1_000, 2_000]) {
      await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
      equal((await find(store, 'job-1')).dueAtMs, clock.now() + waitMs);
      await clock.advance(waitMs - 1);
      deepEqual(await claimedIds(store), []);
      await clock.advance(1);
    }
    await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
    const job = await find(store, 'job-1');
    same(
      [job.state, job.reason, job.retryCount, job.dueAtMs],
      ['dead', 'max_attempts_exceeded', 2, undefined],
    );
    equal(job.account.entries.failed, POLICY.maxAttempts);
    deepEqual(
      job.attempts.kept.map(({ attempt, delayMs, reason }) => [attempt, delayMs, reason]),
      [
        [1, 1_000, 'retryable_error'],
        [2, 2_000, 'retryable_error'],
        [3, undefined, 'max_attempts_exceeded'],
      ],
    );
  });

  test('a poison job does not delay other jobs', async ({ store, clock }) => {
    await enqueue(store, 'poison');
    await clock.advance(1);
    for (let n = 0; n < 5; n++) await enqueue(store, `healthy-${n}`);
    const served: string[] = [];
    for (let round = 0; round < 8; round++) {
      const ids = await claimedIds(store, { limit: 1 });
      for (const id of ids) {
        served.push(id);
        const job = await find(store, id);
        const { lease, state } = job;
        if (lease === undefined || state !== 'leased') throw new Error(`${id} is ${state}`);
        const outcome = id === 'poison' ? RETRYABLE : ({ kind: 'success' } as const);
        await settled(store, decidedEnd({ ...job, state, lease }, outcome, clock.now()));
      }
      await clock.advance(500);
    }
    equal(served.filter((id) => id.startsWith('healthy')).length, 5);
    equal(served.filter((id) => id === 'poison').length, 3);
  });

  test('jobs that are late do not delay others, with any number of tenants', async ({
    store,
    clock,
  }) => {
    for (const tenant of ['a', 'b', 'c', 'd']) {
      await enqueue(store, `late-${tenant}`, { tenant, priority: 1, deadline: { inMs: 500 } });
    }
    await clock.advance(1_000);
    // A claim looks at one tenant more than it takes jobs: so it looks at some of them, at all, or at more than there are.
    for (const limit of [1, 3, 5]) {
      await enqueue(store, `good-${limit}`, { tenant: 'b' });
      deepEqual(await claimedIds(store, { limit, afterTenant: 'b' }), [`good-${limit}`]);
    }
  });
}
