import { type Enqueued, type FullStore, final, jobsOn, retryAfter } from '@redrive/durable';
import { pauseWork } from '@redrive/durable/control';

const POLICY = { id: 'default', maxAttempts: 3, baseDelayMs: 4, maxDelayMs: 20 } as const;
const HOUR_MS = 3_600_000;

interface Charge {
  readonly failures: number;
}

/** Jobs that succeed, fail and succeed, are rate-limited, die, are requeued, cancelled, parked and not due; and a pause. */
export async function runJobs(store: FullStore): Promise<void> {
  const jobs = jobsOn(
    store,
    {
      mail: async () => ({ sent: true }),
      charge: {
        policy: POLICY,
        idempotent: true,
        async run({ failures }: Charge, { attempt, generation }) {
          if (generation === 1 && attempt <= failures) throw new Error('connection reset');
          return { charged: true };
        },
      },
      import: async () => final('unknown format'),
      search: async (_: unknown, { token }) => (token === 1 ? retryAfter(5) : 'found'),
      report: { dependency: 'reports', run: async () => retryAfter(HOUR_MS) },
    },
    { worker: 'worker-1', pollMs: 20 },
  );
  const payloads = ['ada', 'bob', 'cy'].map((name) => ({ to: `${name}@example.org` }));
  const ending: Enqueued[] = [...(await jobs.enqueueMany('mail', payloads, { tags: ['welcome'] }))];
  for (const failures of [1, 2]) {
    const options = { tenant: 'acme', uniqueKey: `order-${failures}` };
    ending.push(await jobs.enqueue('charge', { failures }, options));
  }
  const dead = await jobs.enqueue('charge', { failures: 9 }, { correlationId: 'order-7' });
  const large = { failures: 9, note: 'x'.repeat(3_000) };
  ending.push(dead, await jobs.enqueue('charge', large));
  ending.push(await jobs.enqueue('import', { file: 'a.csv' }, { limitKey: 'files' }));
  ending.push(await jobs.enqueue('search', { q: 'x' }));
  await jobs.enqueue('report', { of: 'May' });
  await jobs.enqueue('mail', { to: 'eve@example.org' }, { delayMs: 24 * HOUR_MS });
  const unwanted = await jobs.enqueue('mail', { to: 'dan@example.org' });
  await jobs.cancel(unwanted.id, 'not wanted');
  await jobs.start();
  await Promise.allSettled(ending.map(({ id }) => jobs.wait(id)));
  await jobs.retry(dead.id, 'the bank answers again');
  await jobs.wait(dead);
  await jobs.stop();
  const actor = { name: 'ann', why: 'maintenance' };
  await pauseWork(store, { scope: 'queue', name: 'slow', actor });
  await jobs.enqueue('mail', { to: 'fay@example.org' }, { queue: 'slow' });
  await store.seal();
}
