import { settleAttempt } from '@redrive/core/stored';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { holdPark } from '@redrive/durable/control';
import { expect, test } from 'vitest';
import { stoppedBy } from './stopped-by.ts';

/** A job that is parked under a breaker that the store does not have, so that it is being released. */
async function parkedJob(store: FullStore): Promise<string> {
  await jobsOn(store, { pay: () => {} }, { log: 'off' }).enqueue('pay', null);
  const lane = { handler: 'pay', limit: 1, policyHash: 'p', limitPerKey: 1 };
  const [claimed] = await store.apply([
    { kind: 'claim', worker: 'w', leaseMs: 30_000, lanes: [lane], limit: 1, ahead: 0 },
  ]);
  const [job] = claimed.jobs;
  if (job === undefined) throw new Error('The job could not be claimed');
  const { id, token, retryCount, attempts } = job;
  const account = settleAttempt(job.account, 'blocked', undefined);
  const life = { account, retryCount, attempts, reason: 'breaker_open', detail: '{}' } as const;
  const parked = { by: 'held', to: 'parked', dueInMs: 86_400_000, cause: 'breaker:bank' } as const;
  await store.apply([{ kind: 'settle', settlement: { id, token, ...parked, ...life } }]);
  return id;
}

test('a cause that is gone stops no job, unless an operator holds its jobs', async () => {
  const store = memoryStore();
  const id = await parkedJob(store);
  const kinds = async () => (await stoppedBy(store, [id])).map(({ kind }) => kind);
  expect(await kinds()).toEqual(['no_worker']);
  await holdPark(store, { cause: 'breaker:bank', actor: { name: 'ann', why: 'INC-7' } });
  const [hold] = await stoppedBy(store, [id]);
  expect(hold).toMatchObject({ kind: 'parked', by: 'ann', why: 'INC-7' });
  await store.close();
});
