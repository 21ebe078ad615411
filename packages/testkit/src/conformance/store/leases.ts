import { deepEqual, equal, ok } from 'node:assert/strict';
import type { LeaseRef } from '@redrive/durable/store';
import { eventsOf } from './audit-trail.ts';
import { act, claim, claimOne, enqueue, enqueueAll, find, LEASE_MS, leased } from './commands.ts';
import { decidedEnd, RETRYABLE, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function leaseTests({ test }: StoreSuite): void {
  test('the time of a generation begins with its first claim that is not merely blocked', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    const submittedAtMs = clock.now();
    const blocked = { kind: 'blocked', cause: 'gate_closed', retryAfterMs: 1_000 } as const;
    for (let round = 0; round < 2; round++) {
      await clock.advance(1_800_000);
      const claimed = await claimOne(store);
      equal(claimed.generationAtMs, clock.now());
      await settled(store, decidedEnd(claimed, blocked, clock.now()));
      await clock.advance(1_000);
      await store.apply([{ kind: 'tick', limit: 10, actor: { name: 'test' } }]);
    }
    const startedAtMs = clock.now();
    await settled(store, decidedEnd(await claimOne(store), RETRYABLE, startedAtMs));
    equal((await find(store, 'job-1')).generationAtMs, startedAtMs);
    await clock.advance(1_000);
    equal((await claimOne(store)).generationAtMs, startedAtMs, 'a later attempt is no new start');
    equal((await find(store, 'job-1')).submittedAtMs, submittedAtMs);
  });

  test('last longer with every heartbeat, and leave no record of it', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(LEASE_MS / 2);
    deepEqual(await store.heartbeat([job], LEASE_MS), ['held']);
    equal((await find(store, 'job-1')).lease?.untilMs, clock.now() + LEASE_MS);
    await clock.advance(LEASE_MS - 1);
    deepEqual(await store.expiredLeases(10), []);
    await clock.advance(1);
    equal((await store.expiredLeases(10)).length, 1);
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim']);
  });

  test('and waits may have a fraction of a millisecond, and nothing is early by it', async ({
    store,
    clock,
  }) => {
    const within = (timeMs: number | undefined, leastMs: number): void => {
      const afterMs = (timeMs ?? Number.NaN) - clock.now();
      ok(afterMs >= leastMs && afterMs < leastMs + 1, `${afterMs} is not ${leastMs}`);
    };
    await enqueue(store, 'job-1', { due: { inMs: 1.5 }, deadline: { inMs: 9_000.5 } });
    within((await find(store, 'job-1')).dueAtMs, 1.5);
    within((await find(store, 'job-1')).deadlineMs, 9_000.5);
    await clock.advance(2);
    const job = await claimOne(store, { leaseMs: 100.5 });
    within((await find(store, 'job-1')).lease?.untilMs, 100.5);
    deepEqual(await store.heartbeat([job], 200.5), ['held']);
    within((await find(store, 'job-1')).lease?.untilMs, 200.5);
    await settled(store, settlementFor(job, 'parked', { dueInMs: 10.5, cause: 'breaker:x' }));
    within((await find(store, 'job-1')).dueAtMs, 10.5);
  });

  test('of one worker are found by its name, the newest first, until they run out', async ({
    store,
    clock,
  }) => {
    await enqueueAll(store, ['job-1', 'job-2', 'job-3', 'job-4']);
    const first = await claimOne(store, { worker: 'one' });
    await claimOne(store, { worker: 'two' });
    await clock.advance(5);
    const second = await claimOne(store, { worker: 'one' });
    deepEqual(await store.leasesOf('one', 10), [second, first]);
    deepEqual(await store.leasesOf('one', 1), [second]);
    deepEqual(await store.leasesOf('three', 10), []);
    await settled(store, settlementFor(second, 'succeeded'));
    deepEqual(await store.leasesOf('one', 10), [first]);
    await clock.advance(LEASE_MS);
    deepEqual(await store.leasesOf('one', 10), []);
  });

  test('do not get shorter', async ({ store }) => {
    const job = await leased(store, 'job-1');
    deepEqual(await store.heartbeat([job], 1), ['held']);
    equal((await find(store, 'job-1')).lease?.untilMs, job.lease.untilMs);
  });

  test('that have run out are lost, although nobody has taken the job', async ({
    store,
    clock,
  }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(LEASE_MS);
    deepEqual(await store.heartbeat([job], LEASE_MS), ['lost']);
    equal((await find(store, 'job-1')).lease?.untilMs, job.lease.untilMs);
  });

  test('are lost with an older token, an unknown job and a job that has ended', async ({
    store,
  }) => {
    const first = await leased(store, 'job-1');
    await settled(store, settlementFor(first, 'ready'));
    const second = await claimOne(store);
    const ended = await leased(store, 'job-2');
    await settled(store, settlementFor(ended, 'succeeded'));
    const unknown = { id: 'nobody', token: 1 };
    const newer = { id: 'job-1', token: second.token + 1 };
    const answers = await store.heartbeat([first, ended, unknown, newer, second], LEASE_MS);
    deepEqual(answers, ['lost', 'lost', 'lost', 'lost', 'held']);
  });

  test('tell their holder that somebody wants it to stop, and go on', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await act(store, 'cancel', 'job-1');
    await clock.advance(10);
    deepEqual(await store.heartbeat([job], LEASE_MS), ['cancel']);
    equal((await find(store, 'job-1')).lease?.untilMs, clock.now() + LEASE_MS);
  });

  test('keep the newest progress that a heartbeat brought, without a record', async ({
    store,
    clock,
  }) => {
    const job = await leased(store, 'job-1');
    equal(job.lease.progress, undefined);
    const first = { fraction: 0, sinceMs: clock.now() };
    deepEqual(await store.heartbeat([{ ...leaseOf(job), progress: first }], LEASE_MS), ['held']);
    deepEqual((await find(store, 'job-1')).lease?.progress, first);
    const second = { fraction: 0.4, note: 'page "4" of 10 \u{1F4C4}\n', sinceMs: clock.now() + 1 };
    await store.heartbeat([{ ...leaseOf(job), progress: second }], LEASE_MS);
    deepEqual((await find(store, 'job-1')).lease?.progress, second);
    await clock.advance(10);
    deepEqual(await store.heartbeat([leaseOf(job)], LEASE_MS), ['held']);
    const after = (await find(store, 'job-1')).lease;
    deepEqual(after?.progress, second, 'a heartbeat without progress keeps it');
    equal(after?.untilMs, clock.now() + LEASE_MS);
    await act(store, 'cancel', 'job-1');
    deepEqual((await find(store, 'job-1')).lease?.progress, second);
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim', 'cancel']);
  });

  test('lose their progress with the attempt, and take none from an older token', async ({
    store,
  }) => {
    const first = await leased(store, 'job-1');
    const progress = { fraction: 0.9, note: 'almost', sinceMs: 1 };
    // The lease is not extended by this one; its progress counts all the same.
    deepEqual(await store.heartbeat([{ ...leaseOf(first), progress }], 1), ['held']);
    deepEqual((await find(store, 'job-1')).lease?.progress, progress);
    await settled(store, settlementFor(first, 'ready'));
    const second = await claimOne(store);
    equal(second.lease.progress, undefined);
    equal((await find(store, 'job-1')).lease?.progress, undefined);
    deepEqual(await store.heartbeat([{ ...leaseOf(first), progress }], LEASE_MS), ['lost']);
    equal((await find(store, 'job-1')).lease?.progress, undefined);
    await store.heartbeat([{ ...leaseOf(second), progress }], LEASE_MS);
    await settled(store, settlementFor(second, 'succeeded'));
    equal((await find(store, 'job-1')).lease, undefined);
  });

  test('are answered in the order they were asked for', async ({ store, clock }) => {
    const ids = Array.from({ length: 200 }, (_, n) => `job-${n}`);
    await enqueueAll(store, ids);
    const { jobs } = await claim(store, { limit: 200 });
    await clock.advance(1_000);
    const asked = [...jobs].reverse().map(({ id, token }, n) => ({ id, token: token + (n % 3) }));
    const expected = asked.map((_, n) => (n % 3 === 0 ? 'held' : 'lost'));
    deepEqual(await store.heartbeat(asked, LEASE_MS), expected);
    deepEqual(await store.heartbeat([], LEASE_MS), []);
  });
}

function leaseOf({ id, token }: LeaseRef): LeaseRef {
  return { id, token };
}
