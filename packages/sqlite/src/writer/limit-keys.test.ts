import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@redrive/durable';
import type { LeasedJob } from '@redrive/durable/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

const TENANTS = Array.from({ length: 40 }, (_, n) => `tenant-${n + 10}`);

let place: Scratch;
let store: Store;
beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, {}, { audit: true, start: withoutThreads });
});
afterEach(async () => {
  await store.close();
  place.remove();
});

/** Ends the attempt of a job, and takes what may run instead. */
async function next(job: LeasedJob): Promise<LeasedJob> {
  await store.apply([settleOf(job, 'succeeded')]);
  const [claimed] = await store.apply([claimOf(10, { afterTenant: job.tenant })]);
  const [following] = claimed.jobs;
  if (following === undefined || claimed.jobs.length > 1) throw new Error('one, and one only');
  return following;
}

describe('a limit key that many tenants share', () => {
  it('goes from tenant to tenant, and the highest priority comes first', async () => {
    const jobs = [1, 2].flatMap((n) =>
      TENANTS.map((tenant) => enqueueOf(`${tenant}/${n}`, { tenant, limitKey: 'key' })),
    );
    await store.apply(jobs);
    const [{ jobs: first }] = await store.apply([claimOf(10)]);
    const order = [...first];
    for (let job = first[0]; job !== undefined && order.length < TENANTS.length; ) {
      job = await next(job);
      order.push(job);
    }
    expect(order.map(({ id }) => id)).toEqual(TENANTS.map((tenant) => `${tenant}/1`));
    const urgent = { tenant: 'tenant-30', limitKey: 'key', priority: 5 };
    // The claim gets nothing, and holds it back with the others.
    await store.apply([enqueueOf('urgent', urgent), claimOf(10)]);
    expect((await next(order.at(-1) as LeasedJob)).id).toBe('urgent');
  });

  it('lets go of a few at a time, however many there are', async () => {
    const jobs = TENANTS.map((tenant) => enqueueOf(tenant, { tenant, limitKey: 'key' }));
    await store.apply(jobs);
    const [{ jobs: claimed }] = await store.apply([claimOf(10)]);
    await store.apply(claimed.map((job) => settleOf(job, 'succeeded')));
    const db = new DatabaseSync(place.path);
    const found = db.prepare('SELECT count(*) AS n FROM jobs WHERE ready_lane IS NOT NULL').get();
    db.close();
    expect(found).toEqual({ n: 16 });
  });
});
