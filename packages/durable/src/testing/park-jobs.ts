import { settleAttempt } from '@redrive/core/stored';
import { jobsOn } from '../jobs/jobs-on.ts';
import type { FullStore } from '../store/full-store.ts';

/** Jobs that are parked under a cause, without a worker that would do anything about it. Answers with their ids. */
export async function parkJobs(store: FullStore, cause: string, count: number): Promise<string[]> {
  const jobs = jobsOn(store, { mail: async (_n: number) => {} });
  const all = await jobs.enqueueMany('mail', [...Array(count).keys()]);
  const lane = { handler: 'mail', limit: count, policyHash: 'p', maxAttempts: 3, limitPerKey: 1 };
  for (let parked = 0; parked < count; ) {
    const [claimed] = await store.apply([
      { kind: 'claim', worker: 'w', leaseMs: 30_000, lanes: [lane], limit: count, ahead: 0 },
    ]);
    const ends = claimed.jobs.map(({ id, token, account: held, retryCount, attempts }) => {
      const account = settleAttempt(held, 'blocked', undefined);
      const life = { account, retryCount, attempts, reason: 'breaker_open', detail: '{}' } as const;
      const parks = { by: 'held', to: 'parked', dueInMs: 86_400_000, cause } as const;
      return { kind: 'settle', settlement: { id, token, ...parks, ...life } } as const;
    });
    await store.apply(ends);
    parked += ends.length;
  }
  return all.map(({ id }) => id);
}
