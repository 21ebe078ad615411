import { describe, expect, it } from 'vitest';
import { RetryableError } from '../handler/handler-errors.ts';
import { HOUR, sweepBench } from '../testing/sweep-bench.ts';
import { sendDocuments } from './act-on-documents.ts';

type Bench = Awaited<ReturnType<typeof sweepBench>>;

/** The bodies of an event that is published twice: the process gets no answer to the first publish, as after a crash. */
async function publishedTwice(begin: (bench: Bench) => Promise<unknown>) {
  const bench = await sweepBench();
  const { bus, clock, get, put } = bench;
  const bodies: string[] = [];
  const publish = bus.publish.bind(bus);
  bus.publish = async (messages) => {
    const answers = await publish(messages);
    bodies.push(...messages.map(({ body }) => Buffer.from(body).toString()));
    if (bodies.length > 1) return answers;
    // The owner of the document changes it before the job runs again.
    put('a', { ...get('a'), title: 'B', attemptCount: 7 });
    throw new RetryableError('no answer');
  };
  await begin(bench);
  await bench.jobs.start();
  await clock.advance(HOUR);
  expect(bodies).toHaveLength(2);
  return bodies.map((body) => ({ body, json: JSON.parse(body) }));
}

describe('an event that is published again has the same bytes: another body would be an idempotency_conflict', () => {
  it('where an operator sent the document', async () => {
    const [first, second] = await publishedTwice(async ({ put, sweep, store, clock }) => {
      put('a', { count: 1, agoMs: HOUR, title: 'A' });
      await sendDocuments(store, sweep, { ids: ['a'], actor: { name: 'eve' }, clock });
    });
    expect(first?.json).toMatchObject({ data: { title: 'A' }, retry_sweep: { attempt: 2 } });
    expect(second?.body).toBe(first?.body);
  });

  it('where the dead letter of a failed document was requeued', async () => {
    const [first, second] = await publishedTwice(async ({ put, run, store, jobs }) => {
      put('a', { count: 3, agoMs: 25 * HOUR, title: 'A' });
      await run();
      const { jobs: dead } = await store.jobs({ states: ['dead'] }, { limit: 10 });
      for (const { id } of dead) await jobs.retry(id);
    });
    expect(first?.json).toMatchObject({ data: { title: 'A' }, retry_sweep: { attempt: 1 } });
    expect(second?.body).toBe(first?.body);
  });
});
