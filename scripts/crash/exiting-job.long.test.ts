import { jobsOn } from '@redrive/durable';
import { until } from '@redrive/testkit/services';
import { expect, test } from 'vitest';
import { allJobs } from '../../packages/testkit/src/conformance/store/invariants.ts';
import { Fleet } from './fleet.ts';
import { openTarget } from './open-target.ts';
import { withPlace } from './place.ts';

const JOBS = 5_000;
const EXITS = JOBS / 2;
const TIMEOUT_MS = 300_000;

const POLICIES = [
  ['one attempt', { maxAttempts: 1 }],
  ['a disabled policy', { enabled: false }],
] as const;

test.each(
  (['sqlite', 'postgres'] as const).flatMap((kind) =>
    POLICIES.map(([name, policy]) => [kind, name, policy] as const),
  ),
)(
  'on %s, of 5,000 jobs with %s one exits, and only that one is dead',
  { timeout: TIMEOUT_MS },
  (kind, _, policy) =>
    withPlace(kind, async ({ target }) => {
      const store = await openTarget(target);
      const payloads = Array.from({ length: JOBS }, (_, n) => ({ exits: n === EXITS }));
      const enqueued = await jobsOn(store, { run: () => {} }).enqueueMany('run', payloads);
      const fleet = new Fleet();
      const settings = { target, policy, concurrency: 16, leaseMs: 2_000 };
      let exits = 0;
      const start = (): void => {
        fleet.start('exiting-job-process', () => settings, {
          onDeath: () => {
            exits += 1;
            start();
          },
        });
      };
      try {
        start();
        const isDone = async (): Promise<boolean> => {
          const { groups } = await store.counts();
          const open = groups.filter(({ state }) => state !== 'succeeded' && state !== 'dead');
          return open.every(({ count }) => count === 0);
        };
        await until(isDone, { timeoutMs: TIMEOUT_MS, everyMs: 100 });
      } finally {
        await fleet.stop();
      }
      const ended = await allJobs(store);
      await store.close();
      const dead = ended.filter(({ state }) => state === 'dead');
      expect(dead.map(({ id }) => id)).toEqual([enqueued[EXITS]?.id]);
      expect(ended).toHaveLength(JOBS);
      // Each of the first four takes a quarter of the jobs before along, at most; in the fifth it is alone.
      expect(exits).toBeLessThanOrEqual(5);
    }),
);
