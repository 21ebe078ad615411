import { deepEqual, equal, ok } from 'node:assert/strict';
import type { JobAttempt } from '@redrive/durable/store';
import { eventsOf, trailOf } from './audit-trail.ts';
import { claimedIds, claimOf, claimOne, find, LEASE_MS, leased } from './commands.ts';
import { same } from './plain.ts';
import { decidedEnd, RETRYABLE, settle, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const STALE = { ok: false, refusal: 'stale_token' };

export function settleTests({ test }: StoreSuite): void {
  test('success ends the job and keeps its result as it was written', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(7);
    const result = '{ "b": [1.0, null],\n"a": "😀" }';
    const end = settlementFor(job, 'succeeded', { result, retryCount: 0 });
    await settled(store, end);
    const after = await find(store, 'job-1');
    same(
      [after.state, after.result, after.finishedAtMs, after.lease, after.reason, after.token],
      ['succeeded', result, clock.now(), undefined, 'succeeded', job.token + 1],
    );
    deepEqual(after.account, end.account);
    same(await store.finished(['job-1', 'nobody']), [after]);
  });

  test('a result that was too large leaves its size', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await settled(store, settlementFor(job, 'succeeded', { resultOmittedBytes: 5_000_000 }));
    const after = await find(store, 'job-1');
    same([after.result, after.resultOmittedBytes], [undefined, 5_000_000]);
  });

  test('a retry waits for its time', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    const end = settlementFor(job, 'scheduled', {
      dueInMs: 2_500,
      retryCount: 1,
      errorClass: 'retryable',
    });
    await settled(store, end);
    const after = await find(store, 'job-1');
    same(
      [after.state, after.dueAtMs, after.retryCount, after.errorClass, after.finishedAtMs],
      ['scheduled', clock.now() + 2_500, 1, 'retryable', undefined],
    );
    deepEqual(after.account, end.account);
  });

  test('a retry without a wait is ready at once', async ({ store }) => {
    for (const dueInMs of [0, undefined, -5]) {
      const job = await leased(store, `job-${dueInMs}`);
      await settled(store, settlementFor(job, 'scheduled', { dueInMs }));
      const after = await find(store, job.id);
      same([after.state, after.dueAtMs], ['ready', undefined]);
      const again = await claimOne(store);
      deepEqual([again.id, again.token], [job.id, job.token + 2]);
    }
  });

  test('a release gives the attempt back', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await settled(store, settlementFor(job, 'ready', { reason: 'interrupted' }));
    const after = await find(store, 'job-1');
    same([after.state, after.reason, after.lease], ['ready', 'interrupted', undefined]);
    equal(after.account.entries.interrupted, 1);
  });

  for (const to of ['succeeded', 'scheduled', 'ready', 'parked', 'dead', 'cancelled'] as const) {
    test(`an attempt that ended as ${to} cannot be ended again with its token`, async ({
      store,
    }) => {
      const job = await leased(store, 'job-1');
      await settled(store, settlementFor(job, to, { dueInMs: 1_000, cause: 'breaker_open' }));
      const before = await find(store, 'job-1');
      for (const again of ['succeeded', 'scheduled', 'dead'] as const) {
        deepEqual(await settle(store, settlementFor(job, again)), STALE, again);
      }
      same(await find(store, 'job-1'), before);
      deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim', 'settle']);
    });
  }

  test('a write with an older token is refused, also while somebody else has the job', async ({
    store,
  }) => {
    const first = await leased(store, 'job-1');
    await settled(store, settlementFor(first, 'ready'));
    const second = await claimOne(store, { worker: 'worker-2' });
    ok(second.token > first.token);
    const before = await find(store, 'job-1');
    for (const token of [0, first.token, first.token + 1, second.token + 1]) {
      const late = { ...settlementFor(first, 'succeeded'), token };
      deepEqual(await settle(store, late), STALE, `${token}`);
    }
    same(await find(store, 'job-1'), before);
    await settled(store, settlementFor(second, 'succeeded'));
  });

  test('one transaction cannot end an attempt twice', async ({ store }) => {
    const job = await leased(store, 'job-1');
    const settlement = settlementFor(job, 'ready');
    const results = await store.apply([
      { kind: 'settle', settlement },
      { kind: 'settle', settlement: settlementFor(job, 'dead') },
    ]);
    deepEqual(results, [{ ok: true }, STALE]);
    equal((await find(store, 'job-1')).state, 'ready');
  });

  test('a late holder whose lease nobody has taken may still write', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(LEASE_MS * 10);
    await settled(store, settlementFor(job, 'succeeded'));
    equal((await find(store, 'job-1')).state, 'succeeded');
    deepEqual(await store.expiredLeases(10), []);
  });

  test('refuses an account with a running attempt, and a job that is not there', async ({
    store,
  }) => {
    const job = await leased(store, 'job-1');
    const running = { ...settlementFor(job, 'succeeded'), account: job.account };
    deepEqual(await settle(store, running), { ok: false, refusal: 'illegal' });
    const nobody = { ...settlementFor(job, 'succeeded'), id: 'nobody' };
    deepEqual(await settle(store, nobody), { ok: false, refusal: 'not_found' });
    await settled(store, settlementFor(job, 'succeeded'));
  });

  test('keeps the attempts with everything that was decided on', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(40);
    const end = decidedEnd(job, RETRYABLE, clock.now());
    await settled(store, end);
    const after = await find(store, 'job-1');
    same(after.attempts, end.attempts);
    // JSON writes it as null.
    equal(after.attempts.kept[0]?.input?.timeLeftMs, Number.POSITIVE_INFINITY);
    const { jobs } = await store.jobs({}, { limit: 1 });
    deepEqual(jobs[0]?.lastError, { type: 'Error', message: 'no luck' });
    const record = (await trailOf(store, 'job-1')).at(-1);
    deepEqual(record?.detail, JSON.parse(end.detail));
  });

  test('keeps a full log of attempts', async ({ store }) => {
    const job = await leased(store, 'job-1');
    const kept = Array.from({ length: 25 }, (_, n): JobAttempt => ({ ...ATTEMPT, attempt: n + 1 }));
    await settled(store, settlementFor(job, 'dead', { attempts: { kept, omitted: 3 } }));
    same((await find(store, 'job-1')).attempts, { kept, omitted: 3 });
  });

  test('settles and claims in one transaction', async ({ store }) => {
    const job = await leased(store, 'job-1');
    const [end, again] = await store.apply([
      { kind: 'settle', settlement: settlementFor(job, 'ready') },
      claimOf({ worker: 'worker-2' }),
    ]);
    deepEqual(end, { ok: true });
    deepEqual(
      again.jobs.map(({ id, lease, token }) => [id, lease.worker, token]),
      [['job-1', 'worker-2', 3]],
    );
    deepEqual(await claimedIds(store), []);
  });

  test('finds finished jobs among many ids', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'done'), 'dead'));
    await leased(store, 'running');
    const ids = [...Array.from({ length: 997 }, (_, n) => `x${n}`), 'done', 'running', 'done'];
    deepEqual(
      (await store.finished(ids)).map(({ id, state }) => [id, state]),
      [['done', 'dead']],
    );
    deepEqual(await store.finished([]), []);
  });
}

const ATTEMPT: JobAttempt = {
  generation: 1,
  attempt: 1,
  startedAtMs: 1,
  durationMs: 2,
  delayBeforeMs: 3,
  entry: 'failed',
  errorClass: 'retryable',
  error: { type: 'TimeoutError', message: 'took "too" long\n😀', stackTrace: 'at x' },
  action: 'retry',
  reason: 'retryable_error',
  delayMs: 4,
  worker: 'w',
  policyHash: 'p',
  maxAttempts: 3,
};
