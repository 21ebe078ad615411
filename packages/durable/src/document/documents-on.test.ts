import { expect, it } from 'vitest';
import { publishHandler } from '../outbox/publish-handler.ts';
import { HOUR, sweepBench } from '../testing/sweep-bench.ts';
import { workBench } from '../testing/work-bench.ts';
import { documentsOn } from './documents-on.ts';

const DAY = 24 * HOUR;

/** A collection that is swept, and the service that processes its documents. */
async function serviceBench() {
  const bench = await sweepBench();
  const { documents, sweep, bus, store, clock } = bench;
  await bus.declare({ name: 'parsing.failed' });
  const handlers = { 'events.publish': publishHandler({ main: bus }) };
  const { jobs } = workBench(handlers, { store, worker: 'w2' }, clock);
  const data = { archive_id: '$_id' };
  const event = { type: 'ParsingFailed', bus: 'main', destination: 'parsing.failed', data };
  const service = documentsOn(documents, sweep.collection, { failed: { jobs, ...event } });
  return {
    ...bench,
    ...{ service, publisher: jobs },
    async failures() {
      const found = (await bus.peek?.({ name: 'parsing.failed' }, 100)) ?? [];
      return found.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    },
  };
}

it('initialise: pending, no attempt, no time, beside the fields of the document', async () => {
  const { service } = await serviceBench();
  expect(service.initialise({ _id: 'a', title: 'A' })).toEqual({
    ...{ _id: 'a', title: 'A' },
    ...{ status: 'pending', attemptCount: 0, lastAttemptTime: null },
  });
});

it('begin raises the count and sets the time, and a sweep finds the document a day later', async () => {
  const { service, put, get, clock, run } = await serviceBench();
  put('a', { count: 0, agoMs: null });
  const event = { event_type: 'ArchiveIngested', data: { archive_id: 'a' } };
  expect(await service.begin('a', event)).toEqual({ begun: true, attempt: 1 });
  const lastAttemptTime = new Date(clock.now());
  expect(get('a')).toMatchObject({ status: 'pending', attemptCount: 1, lastAttemptTime });
  await clock.advance(DAY);
  expect((await run()).claimed).toBe(0);
  await clock.advance(1);
  expect((await run()).claimed).toBe(1);
  expect(get('a')).toMatchObject({ attemptCount: 1, retry_sweep: { attempt: 2 } });
});

it('begin takes its attempt from the event of a sweep, which may arrive before the count', async () => {
  const { service, put, get, run } = await serviceBench();
  put('a', { count: 1, agoMs: DAY + HOUR });
  await run();
  const begun = await service.begin('a', { retry_sweep: { attempt: 2 } });
  expect([begun, get('a').attemptCount]).toEqual([{ begun: true, attempt: 2 }, 1]);
  const odd = await service.begin('a', { retry_sweep: { attempt: 'x' } });
  expect(odd).toEqual({ begun: true, attempt: 1 });
});

it('begin does not raise the count where the event says that a sweep sent it', async () => {
  const { service, put, get, clock, run, jobs, sent } = await serviceBench();
  put('a', { count: 1, agoMs: DAY + HOUR });
  await run();
  await jobs.start();
  await clock.advance(HOUR);
  const [event] = await sent();
  expect(await service.begin('a', event?.json)).toEqual({ begun: true, attempt: 2 });
  const lastAttemptTime = new Date(clock.now());
  expect(get('a')).toMatchObject({ attemptCount: 2, lastAttemptTime, retry_sweep: { sent: true } });
});

it('begin of a document that is done, failed or missing begins nothing', async () => {
  const { service, put, get } = await serviceBench();
  for (const status of ['processed', 'failed_max_retries', 'withdrawn']) {
    put(status, { count: 1, agoMs: HOUR, status });
    const before = get(status);
    expect(await service.begin(status)).toEqual({ begun: false, status });
    expect(get(status)).toEqual(before);
  }
  expect(await service.begin('gone')).toEqual({ begun: false, status: undefined });
});

it('succeed: done, without its error, and only once; a status of the owner stays', async () => {
  const { service, put, get } = await serviceBench();
  put('a', { count: 2, agoMs: HOUR, lastError: 'Error: no answer' });
  const { lastAttemptTime } = get('a');
  expect(await service.succeed('a')).toBe(true);
  expect(await service.succeed('a')).toBe(true);
  const after = { status: 'processed', attemptCount: 2, lastAttemptTime, lastError: undefined };
  expect(get('a')).toMatchObject(after);
  put('b', { status: 'withdrawn' });
  expect([await service.succeed('b'), get('b').status]).toEqual([false, 'withdrawn']);
  expect(await service.succeed('gone')).toBe(false);
});

it('succeed of an attempt that outlived its limit: the document is done, and its dead letter is cancelled by a requeue', async () => {
  const { service, put, get, run, store, jobs, clock, sent, look } = await serviceBench();
  put('a', { count: 3, agoMs: DAY + HOUR });
  await run();
  expect(get('a').status).toBe('failed_max_retries');
  expect(await service.succeed('a')).toBe(true);
  const { jobs: dead } = await store.jobs({ states: ['dead'] }, { limit: 9 });
  const id = dead[0]?.id ?? '';
  await jobs.start();
  await jobs.retry(id);
  await clock.advance(1_000);
  expect(await look(id)).toMatchObject({ state: 'cancelled' });
  expect([get('a').status, await sent()]).toEqual(['processed', []]);
});

it('fail keeps the sanitised error and publishes the failed event, and never touches the count', async () => {
  const { service, publisher, put, get, clock, failures, run } = await serviceBench();
  put('a', { count: 1, agoMs: HOUR, title: 'A' });
  const before = get('a');
  const error = new TypeError(`password=hunter2 \0 ${'x'.repeat(9_000)}`);
  expect(await service.fail('a', error)).toBe(true);
  const lastError = String(get('a').lastError);
  expect(lastError).toMatch(/^TypeError: password=\[masked\] {2}x/);
  expect(lastError.length).toBeLessThan(700);
  expect(get('a')).toEqual({ ...before, lastError });
  await publisher.start();
  const timestamp = new Date(clock.now()).toISOString();
  await clock.advance(1_000);
  const [event, ...more] = await failures();
  expect(event).toEqual({
    ...{ event_type: 'ParsingFailed', event_id: event.event_id, timestamp },
    data: { archive_id: 'a', error_type: 'TypeError', last_error: lastError, attempt_count: 1 },
  });
  expect(more).toEqual([]);
  await clock.advance(DAY);
  expect((await run()).claimed).toBe(1);
});

it('fail of a document that is done or missing keeps and publishes nothing', async () => {
  const { service, put, get, store } = await serviceBench();
  put('a', { status: 'processed' });
  const before = get('a');
  expect([await service.fail('a', new Error('late')), await service.fail('gone', 1)]).toEqual([
    false,
    false,
  ]);
  expect([get('a'), (await store.counts()).groups]).toEqual([before, []]);
});

it('fail while the store is away keeps the error; called again, it publishes one event', async () => {
  const { service, publisher, put, get, store, clock, failures } = await serviceBench();
  put('a', { count: 1, agoMs: HOUR });
  store.fault = { calls: ['apply'], when: 'after' };
  await expect(service.fail('a', new Error('no answer'))).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  expect(get('a').lastError).toBe('Error: no answer');
  store.fault = undefined;
  expect(await service.fail('a', new Error('no answer'))).toBe(true);
  await publisher.start();
  await clock.advance(1_000);
  expect(await failures()).toHaveLength(1);
});

it('fail without a failed event keeps the error alone', async () => {
  const { documents, sweep, put, get, store } = await serviceBench();
  const service = documentsOn(documents, sweep.collection);
  put('a');
  expect(await service.fail('a', 'no answer')).toBe(true);
  expect([get('a').lastError, (await store.counts()).groups]).toEqual(['string: no answer', []]);
});

it('attempts that begin at once are all counted, beside a sweep', async () => {
  const { service, put, get, run } = await serviceBench();
  put('a', { count: 1, agoMs: DAY + HOUR });
  await Promise.all([service.begin('a'), run(), service.begin('a')]);
  expect(get('a').attemptCount).toBe(3);
});

it('a document that changes at every try is documents_unavailable, and an invalid one is documents_refused', async () => {
  const { service, put, get, documents } = await serviceBench();
  put('a', { count: 1.5 });
  const before = get('a');
  await expect(service.begin('a')).rejects.toMatchObject({
    code: 'documents_refused',
    message: expect.stringContaining('The count of attempts is 1.5'),
  });
  expect(get('a')).toEqual(before);
  put('b', { count: 1 });
  Object.assign(documents, { record: async () => [false] });
  await expect(service.begin('b')).rejects.toMatchObject({ code: 'documents_unavailable' });
});
