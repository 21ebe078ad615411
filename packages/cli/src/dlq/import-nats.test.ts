import type { Bus } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

let server: NatsService;
let bus: Bus;
let tests = 0;
/** Each test has its own stream. */
let stream: string;
let subject: string;

beforeAll(async () => {
  server = await startNats();
  bus = natsBus(server.url);
}, 180_000);
afterAll(async () => {
  await bus?.close();
  await server?.stop();
});
beforeEach(async () => {
  tests += 1;
  stream = `FAILED-${tests}`;
  subject = `failed.${tests}`;
  await bus.declare({ name: 'others', stream, subject: `${subject}.>` });
});

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

function setUp() {
  const config = `version: "1.1.0"
buses: { jet: { url: "${server.url}" } }
jobs: { handlers: { plain: { module: handlers.mjs, idempotent: true } } }
events:
  sources:
    chunking: { bus: jet, stream: home-${tests}, subject: home.${tests}, handler: plain }
`;
  const place = workerPlace(onTestFinished, config);
  return { place, run: (...args: string[]) => runMain(['dlq', ...args], place) };
}

async function publish(body: unknown, name = 'dlq', id?: string): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await bus.publish([{ destination: `${subject}.${name}`, body: Buffer.from(text), id }]);
}

test('dlq import from JetStream: stored as dead letters, then acknowledged; the stream and its other consumers stay as they are', async () => {
  const { run, place } = setUp();
  await publish(LETTER);
  await publish('not JSON', 'dlq', 'm-2');
  const to = `home.${tests}`;
  const before = await bus.check({ name: 'others', stream, subject: `${subject}.>` });

  const planned = await run('import', 'jet', stream, '--dry-run', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ imported: 2, without_destination: 1 });
  const refused = await run('import', 'jet', stream);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('--to')]);
  expect((await place.store.deadLetters({}, { limit: 5 })).jobs).toEqual([]);

  const done = await run('import', 'jet', stream, '--to', to);
  expect(done.stdout).toBe(`2 dead letters of ${stream} were imported.\n`);
  expect(done.stderr).toContain('The messages stay in the stream');
  const { jobs } = await place.store.deadLetters({ queue: stream }, { limit: 5 });
  expect(jobs.map(({ reason }) => reason).toSorted()).toEqual([
    'final_error',
    'max_attempts_exceeded',
  ]);
  const letter = jobs.find(({ reason }) => reason === 'max_attempts_exceeded');
  const shown = await run('show', letter?.id ?? '', '--json', '--payload', 'full');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    original_event: { bus: 'jet', destination: to, event: LETTER.original_event },
    idempotency_key: 'chunking-abc',
    attempt_count: 8,
    last_error: LETTER.last_error,
    abandoned_reason: 'max_attempts_exceeded',
  });
  expect(await bus.check({ name: 'others', stream, subject: `${subject}.>` })).toEqual(before);

  const again = await run('import', 'jet', stream, '--to', to, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ waiting: 0, imported: 0, duplicates: 0 });
});

test('a dry run disturbs nothing: no consumer, no delivery', async () => {
  const { run } = setUp();
  await publish(LETTER);
  for (let n = 0; n < 2; n += 1) {
    const planned = await run('import', 'jet', stream, '--dry-run');
    expect(planned.stdout).toBe(`1 dead letter of ${stream} would be imported.\n`);
  }
  // A consumer would be one more problem that is solved.
  const { problems } = await bus.check({ name: 'redrive-import', stream, subject: '>' });
  expect(problems.map(({ problem }) => problem)).toContain(
    `Stream ${stream} has no consumer redrive-import`,
  );
});

test('--subject takes a part of the stream, --limit a number of messages', async () => {
  const { run, place } = setUp();
  for (const n of [1, 2, 3]) await publish({ n });
  await publish({ n: 4 }, 'other');
  const to = ['--to', `home.${tests}`];
  const other = await run('import', 'jet', stream, '--subject', `${subject}.other`, ...to);
  expect(other.stdout).toContain('1 dead letter');
  const two = await run('import', 'jet', stream, '--limit', '2', ...to);
  expect(two.stdout).toContain('2 dead letters');
  const rest = await run('import', 'jet', stream, ...to, '--json');
  // The message that --subject has imported is known.
  expect(JSON.parse(rest.stdout)).toMatchObject({ waiting: 2, imported: 1, duplicates: 1 });
  expect((await place.store.deadLetters({}, { limit: 9 })).jobs).toHaveLength(4);
});

test('a stream that does not exist is not created', async () => {
  const { run } = setUp();
  const missing = await run('import', 'jet', 'NOBODY', '--to', 'x');
  expect([missing.exitCode, missing.stderr]).toEqual([
    1,
    expect.stringContaining('Stream NOBODY does not exist'),
  ]);
  const { waiting } = await bus.check({ name: 'x', stream: 'NOBODY', subject: '>' });
  expect(waiting).toBeUndefined();
});

test('a message that is stored and not acknowledged is known at the next import', async () => {
  const { run, place } = setUp();
  await publish({ n: 1 });
  await publish({ n: 1 });
  const to = ['--to', `home.${tests}`];
  // The same body twice, without an id: two messages, two letters.
  expect((await run('import', 'jet', stream, ...to)).stdout).toContain('2 dead letters');
  // As after a crash before the acknowledgement: another consumer, the same messages.
  const again = await run('import', 'jet', stream, '--subject', `${subject}.dlq`, ...to, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, duplicates: 2 });
  expect((await place.store.deadLetters({}, { limit: 9 })).jobs).toHaveLength(2);
});

test('a requeued letter is published to the subject of the source that gave it up, confirmed', async () => {
  const { run, place } = setUp();
  const home = { name: 'chunking', stream: `home-${tests}`, subject: `home.${tests}` };
  await bus.declare(home);
  await publish({ ...LETTER, redrive: { payload: { shown: 'full' } } });
  // Without its event a letter goes back to where it is.
  await publish({ ...LETTER, original_event: null, redrive: { payload: { shown: 'none' } } });
  expect((await run('import', 'jet', stream)).stdout).toContain('2 dead letters');
  const { jobs } = await place.store.deadLetters({}, { limit: 5, first: 'oldest' });
  const payloads = await Promise.all(jobs.map(({ id }) => place.store.job(id)));
  const texts = payloads.map((job) => (job?.payload.kind === 'json' ? job.payload.text : ''));
  const destinations = texts.map((text) => JSON.parse(text).destination).toSorted();
  expect(destinations).toEqual([`${subject}.dlq`, home.subject]);

  const whole = payloads[texts.findIndex((text) => text.includes(`"${home.subject}"`))];
  const worker = runningWorker(onTestFinished, place, ['--health-port', 'off']);
  await worker.line('source.state');
  const id = whole?.id ?? '';
  expect((await run('requeue', id, '--yes')).exitCode).toBe(0);
  await worker.line('job.succeeded', ({ job }) => job === id);
  const [sent] = (await bus.peek?.({ ...home, name: 'nobody' }, 5)) ?? [];
  expect([sent?.id, JSON.parse(String(Buffer.from(sent?.body ?? [])))]).toEqual([
    id,
    LETTER.original_event,
  ]);
});
