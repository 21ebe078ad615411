import { createHash } from 'node:crypto';
import { jobsOn, memoryStore } from '@redrive/durable';
import { documentsOn, memoryDocuments } from '@redrive/durable/documents';
import { type Bus, memoryBus, publishHandler } from '@redrive/durable/events';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

const CONFIG = `version: "1.1.0"
buses: { rabbit: { url: "amqp://127.0.0.1" }, main: { url: "store:" } }
jobs: { handlers: { plain: { module: handlers.mjs, idempotent: true } } }
`;
const QUEUE = 'parsing.failed';

/** Seed E's payload, as another service published it. */
const LETTER = {
  original_event: { data: { message_ids: ['abc'] } },
  idempotency_key: 'chunking-abc',
  attempt_count: 8,
  last_error: 'DocumentNotFoundError: No messages found',
  error_type: 'DocumentNotFoundError',
  abandoned_reason: 'max_attempts_exceeded',
  service_name: 'chunking',
  timestamp: '2026-01-17T05:00:00Z',
};
const DEATHS = [
  { count: 2, reason: 'rejected', queue: 'parsing.retry', exchange: '' },
  { count: 3, reason: 'expired', queue: 'parsing', exchange: '' },
];

async function setUp(): Promise<{
  bus: Bus;
  store: ReturnType<typeof workerPlace>['store'];
  publish: (body: string, headers?: Record<string, string>, id?: string) => Promise<unknown>;
  run: (...args: string[]) => ReturnType<typeof runMain>;
}> {
  const { store, directory } = workerPlace(onTestFinished, CONFIG);
  const bus = memoryBus();
  await bus.declare({ name: QUEUE });
  return {
    bus,
    store,
    publish: (body, headers = {}, id) =>
      bus.publish([{ destination: QUEUE, body: Buffer.from(body), headers, id }]),
    run: (...args) => runMain(['dlq', ...args], { store, bus, directory }),
  };
}

/** The id of a letter: the start of its body's hash is its end. */
const idOf = (key: string, body: string) =>
  `${QUEUE}-${key}-${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;

const waiting = async (bus: Bus) => (await bus.check({ name: QUEUE })).waiting;

test('dlq import stores a failed queue as dead letters, then acknowledges: seed E’s payload and x-death', async () => {
  const { run, publish, bus, store } = await setUp();
  await publish(JSON.stringify(LETTER));
  await publish('{"n":1}', { 'x-death': JSON.stringify([DEATHS[1]]), 'x-note': 'kept' }, 'm-1');
  await publish('not JSON', { 'x-death': JSON.stringify(DEATHS) });
  const planned = await run('import', 'rabbit', QUEUE, '--to', 'parsing', '--dry-run');
  expect(planned.stdout).toBe(`3 dead letters of ${QUEUE} would be imported.\n`);
  expect(await waiting(bus)).toBe(3);

  const done = await run('import', 'rabbit', QUEUE, '--to', 'parsing');
  expect(done.stdout).toBe(`3 dead letters of ${QUEUE} were imported.\n`);
  expect(await waiting(bus)).toBe(0);
  const shown = await run(
    'show',
    idOf('chunking-abc', JSON.stringify(LETTER)),
    '--json',
    '--payload',
    'full',
  );
  expect(JSON.parse(shown.stdout)).toMatchObject({
    original_event: { bus: 'rabbit', destination: 'parsing', event: LETTER.original_event },
    idempotency_key: LETTER.idempotency_key,
    attempt_count: 8,
    last_error: LETTER.last_error,
    error_type: LETTER.error_type,
    abandoned_reason: LETTER.abandoned_reason,
    service_name: QUEUE,
  });
  const { stdout: text } = await run('show', idOf('chunking-abc', JSON.stringify(LETTER)));
  expect(text).not.toMatch(/^policy/m);
  const job = await store.job(idOf('m-1', '{"n":1}'));
  expect(job).toMatchObject({ state: 'dead', reason: 'ttl_exceeded', handler: 'events.publish' });
  const counted = await run('show', idOf('m-1', '{"n":1}'), '--json');
  expect(JSON.parse(counted.stdout)).toMatchObject({ attempt_count: 3 });
  const payload = { kind: 'json', text: expect.stringContaining('"headers":{"x-note":"kept"}') };
  expect(job?.payload).toEqual(payload);

  // The same messages again are known.
  await publish(JSON.stringify(LETTER));
  const again = await run('import', 'rabbit', QUEUE, '--to', 'parsing', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, duplicates: 1 });
});

test('messages that share a key are all stored when their bodies differ, and a redelivery is known', async () => {
  const { run, publish, bus, store } = await setUp();
  const [one, two] = [1, 2].map((n) => JSON.stringify({ ...LETTER, original_event: { n } }));
  for (const body of [one, two, two]) await publish(body ?? '');
  const done = await run('import', 'rabbit', QUEUE, '--to', 'parsing', '--json');
  const { imported, duplicates } = JSON.parse(done.stdout);
  const { jobs } = await store.deadLetters({}, { limit: 10 });
  const ids = jobs.map(({ id }) => id).toSorted();
  expect({ imported, duplicates, ids, waiting: await waiting(bus) }).toEqual({
    imported: 2,
    duplicates: 1,
    ids: [one, two].map((body) => idOf('chunking-abc', body ?? '')).toSorted(),
    waiting: 0,
  });
});

test('without --to a letter goes to the queue that it died in first, and one that does not say stays', async () => {
  const { run, publish, bus, store } = await setUp();
  await publish('1', { 'x-death': JSON.stringify(DEATHS) }, 'm-1');
  await publish('2', {}, 'm-2');
  expect((await run('import', 'rabbit', QUEUE, '--limit', '1')).exitCode).toBe(0);
  const { payload } = (await store.job(idOf('m-1', '1'))) ?? {};
  expect(payload).toMatchObject({ text: expect.stringContaining('"destination":"parsing"') });
  expect(await waiting(bus)).toBe(1);
  const refused = await run('import', 'rabbit', QUEUE);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringContaining('--to <destination>'),
  ]);
  expect(await waiting(bus)).toBe(1);
});

test('a requeued letter is published to its original destination, with its headers', async () => {
  const place = workerPlace(onTestFinished, CONFIG);
  const bus = memoryBus();
  await bus.declare({ name: QUEUE });
  await bus.declare({ name: 'parsing' });
  const headers = { 'x-death': JSON.stringify(DEATHS), authorization: 'Bearer s3cret' };
  await bus.publish([{ destination: QUEUE, body: Buffer.from('{"n":1}'), headers, id: 'm-1' }]);
  const run = (...args: string[]) => runMain(['dlq', ...args], { ...place, bus });
  await run('import', 'rabbit', QUEUE);
  const worker = runningWorker(onTestFinished, place, ['--health-port', 'off'], { bus });
  expect((await run('requeue', idOf('m-1', '{"n":1}'), '--yes')).exitCode).toBe(0);
  await worker.line('job.succeeded');
  const [sent] = (await bus.peek?.({ name: 'parsing' }, 5)) ?? [];
  expect(Buffer.from(sent?.body ?? []).toString()).toBe('{"n":1}');
  expect(sent?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
});

const ARCHIVES = {
  name: 'archives',
  fields: {
    ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
    ...{ mark: 'retry_sweep', error: 'lastError', read: ['_id'] },
  },
  ...{ pending: ['pending'], done: ['processed'], failed: 'failed_max_retries' },
};
const SWEEPS =
  'sweeps: { collections: { archives: { source: "mongodb://h/docs", bus: rabbit } } }\n';
const INGESTED = {
  ...{ event_type: 'ArchiveIngested', event_id: 'e-1', timestamp: '2026-01-17T05:00:00Z' },
  data: { archive_id: 'a-17', file: 'may.mbox' },
};

/** The failed event of a service at its second attempt, which a sweep has started: as `documentsOn` publishes it. */
async function parsingFailed(bus: Bus, event?: object): Promise<void> {
  const store = memoryStore();
  const jobs = jobsOn(store, { 'events.publish': publishHandler({ rabbit: bus }) });
  await jobs.start();
  const source = memoryDocuments();
  const data = { archive_id: '$_id' };
  const failed = { jobs, type: 'ParsingFailed', bus: 'rabbit', destination: QUEUE, data };
  const archives = documentsOn(source, ARCHIVES, { failed });
  source.put(ARCHIVES, { ...archives.initialise({ _id: 'a-17' }), attemptCount: 2 });
  await archives.begin('a-17', event);
  await archives.fail('a-17', new SyntaxError('no header'), event);
  await jobs.idle();
  await jobs.stop();
  await store.close();
}

test.each([
  [
    'with the event that started the attempt',
    { ...INGESTED, retry_sweep: { attempt: 2 } },
    INGESTED,
  ],
  [
    'without it: the event of the collection',
    undefined,
    { event_type: 'ArchiveIngested', data: { archive_id: 'a-17' } },
  ],
])(
  'the product’s own ParsingFailed, %s: its error and attempts are read, and a requeue sends the original event',
  async (_, event, original) => {
    const place = workerPlace(onTestFinished, `${CONFIG}${SWEEPS}`);
    const bus = memoryBus();
    for (const name of [QUEUE, 'archive.ingested']) await bus.declare({ name });
    await parsingFailed(bus, event);
    const run = (...args: string[]) => runMain(['dlq', ...args], { ...place, bus });
    expect(await run('import', 'rabbit', QUEUE)).toMatchObject({ exitCode: 0 });
    const { jobs } = await place.store.deadLetters({}, { limit: 10 });
    const id = jobs[0]?.id ?? '';
    const shown = JSON.parse((await run('show', id, '--json', '--payload', 'full')).stdout);
    expect(shown).toMatchObject({
      ...{ error_type: 'SyntaxError', last_error: 'SyntaxError: no header' },
      attempt_count: event === undefined ? 3 : 2,
      original_event: { destination: 'archive.ingested', event: original },
    });
    expect((await run('requeue', id, '--yes')).exitCode).toBe(0);
    const documents = memoryDocuments();
    const worker = runningWorker(onTestFinished, place, ['--health-port', 'off'], {
      bus,
      documents,
    });
    await worker.line('job.succeeded');
    const [sent] = (await bus.peek?.({ name: 'archive.ingested' }, 5)) ?? [];
    const body = JSON.parse(Buffer.from(sent?.body ?? []).toString());
    expect(body).toEqual({ ...body, ...original });
    expect(body).not.toHaveProperty('retry_sweep');
    expect(body.data).toEqual(original.data);
  },
);

test('refuses a bus that is not there, the store itself, and --subject without JetStream', async () => {
  const { run } = await setUp();
  expect((await run('import', 'other', QUEUE)).exitCode).toBe(3);
  const own = await run('import', 'main', QUEUE);
  expect([own.exitCode, own.stderr]).toEqual([1, expect.stringContaining('redrive dlq list')]);
  const subject = await run('import', 'rabbit', QUEUE, '--subject', 'a');
  expect([subject.exitCode, subject.stderr]).toEqual([2, expect.stringContaining('JetStream')]);
});
