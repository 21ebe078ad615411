import { type FullStore, memoryStore } from '@redrive/durable';
import type { Command, SettledState } from '@redrive/durable/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { storeUnderTest } from '../testing/store-under-test.ts';

const end = fc.record({
  job: fc.nat({ max: 19 }),
  to: fc.constantFrom<SettledState>('succeeded', 'succeeded', 'scheduled', 'dead', 'parked'),
  dueInMs: fc.constantFrom(0, 500),
  result: fc.constantFrom(undefined, '"done"'),
  isStale: fc.boolean(),
});

/** What becomes of twenty jobs, some with keys and deadlines, whose attempts end as said, in one commit. */
async function outcome(
  store: FullStore,
  ends: readonly (typeof end extends fc.Arbitrary<infer E> ? E : never)[],
) {
  const ids = Array.from({ length: 20 }, (_, n) => `job-${n + 10}`);
  const enqueues = ids.map((id, n) => {
    const keys = { 3: { limitKey: id }, 4: { uniqueKey: id } }[n % 5] ?? {};
    const deadline = n % 5 === 2 ? { atMs: Date.UTC(2027, 0, 1) } : undefined;
    return { ...enqueueOf(id, keys), deadline };
  });
  await store.apply(enqueues);
  const [{ jobs }] = await store.apply([claimOf(20)]);
  const commands = ends.map(({ job, to, dueInMs, result, isStale }): Command => {
    const leased = jobs[job];
    if (leased === undefined) throw new Error('all are claimed');
    const { settlement } = settleOf(leased, to);
    const cause = to === 'parked' ? 'breaker_open' : undefined;
    const token = isStale ? 0 : leased.token;
    return { kind: 'settle', settlement: { ...settlement, token, dueInMs, result, cause } };
  });
  const results = await store.apply([...commands, claimOf(20)]);
  return {
    results,
    jobs: await Promise.all(ids.map((id) => store.job(id))),
    letters: await store.deadLetters({}, { limit: 50 }),
    groups: await store.deadGroups({}, { limit: 50 }),
  };
}

it('many ends in one commit come to the same as one after the other', async () => {
  const ends = fc.array(end, { minLength: 1, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(ends, async (all) => {
      const { store, clock, close } = await storeUnderTest();
      expect(await outcome(store, all)).toEqual(await outcome(memoryStore({ clock }), all));
      await close?.();
    }),
    { numRuns: 60 },
  );
});
