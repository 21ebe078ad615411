import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn, memoryStore } from '@redrive/durable';
import { type BusProblem, type BusSource, memoryBus } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';
import { CheckedSource } from './checked-source.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://user:secret@127.0.0.1:4222" } }
jobs:
  handlers:
    chunking.json_parsed: { module: "./chunk.mjs", idempotent: true }
events:
  sources:
    chunking:
      bus: main
      stream: docs
      subject: json.parsed
      handler: chunking.json_parsed
      key: ["data.message_ids"]
`;

const STORE = CONFIG.replace('"nats://user:secret@127.0.0.1:4222"', '"store:"').replace(
  '      stream: docs\n',
  '',
);

const HANDLER = `export default async ({ data }) => {
  const known = globalThis.messagesOfEventsTest ?? [];
  for (const id of data.message_ids) if (!known.includes(id)) throw new Error('No message ' + id);
  return 'chunked';
};
`;

function setUp(config = CONFIG) {
  const place = workerPlace(onTestFinished, config);
  writeFileSync(join(place.directory, 'chunk.mjs'), HANDLER);
  const bus = memoryBus();
  const run = (...args: string[]) =>
    runMain(args, { store: place.store, bus, directory: place.directory });
  const opened: string[] = [];
  const onOpenBus = (url: string) => void opened.push(url);
  const start = (...args: string[]) =>
    runningWorker(onTestFinished, place, args, { bus, onOpenBus });
  return { ...place, bus, run, start, opened };
}

describe('the path of a newcomer', () => {
  test('events publish, see it fail, dlq show, mend, dlq requeue, see it succeed', async () => {
    const { run, start, store } = setUp();
    const made = await run('events', 'init');
    expect(made.stdout).toBe('created source chunking on memory\n');
    expect((await run('events', 'check')).stdout).toBe('chunking on memory: ok, 0 waiting\n');

    const body = '{"data":{"message_ids":["abc"]}}';
    const published = await run('events', 'publish', 'chunking', body, '--id', 'm-1');
    expect(published.stdout).toBe('Published: json.parsed on memory\n');
    expect((await run('events', 'tail', 'chunking')).stdout).toContain('chunking-1  {"data"');

    const worker = start('--health-port', 'off');
    expect((await worker.line('job.dead')).msg).toContain('No message abc');
    const shown = await run('dlq', 'show', 'chunking-abc', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      idempotency_key: 'chunking-abc',
      attempt_count: 1,
      last_error: 'Error: No message abc',
      abandoned_reason: 'non_retryable',
      service_name: 'chunking',
    });

    Object(globalThis).messagesOfEventsTest = ['abc'];
    expect((await run('dlq', 'requeue', 'chunking-abc', '--yes')).exitCode).toBe(0);
    await worker.line('job.succeeded');
    expect((await store.job('chunking-abc'))?.state).toBe('succeeded');

    // The same event again is a duplicate, which nobody runs.
    await run('events', 'publish', 'chunking', body);
    expect((await run('events', 'check', '--json')).exitCode).toBe(0);
  });
});

describe('the path of a newcomer without a broker', () => {
  const body = '{"data":{"message_ids":["xyz"]}}';
  test('events publish, see it fail, dlq show, mend, dlq requeue, see it succeed', async () => {
    const { run, start, store } = setUp(STORE);
    expect((await run('events', 'check')).stdout).toBe('chunking on memory: ok\n');
    const published = await run('events', 'publish', 'chunking', body);
    expect(published.stdout).toBe('Published: json.parsed on memory\n');
    expect((await run('jobs', 'list', '--queue', 'chunking')).stdout).toContain('chunking-xyz');
    const looked = await run('events', 'tail', 'chunking');
    expect(looked.stderr).toContain('redrive jobs list --queue chunking');

    const worker = start('--health-port', 'off');
    expect((await worker.line('job.dead')).msg).toContain('No message xyz');
    const shown = await run('dlq', 'show', 'chunking-xyz', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      attempt_count: 1,
      abandoned_reason: 'non_retryable',
      service_name: 'chunking',
    });

    Object(globalThis).messagesOfEventsTest = ['abc', 'xyz'];
    expect((await run('dlq', 'requeue', 'chunking-xyz', '--yes')).exitCode).toBe(0);
    await worker.line('job.succeeded');
    expect((await store.job('chunking-xyz'))?.state).toBe('succeeded');
    const again = await run('events', 'publish', 'chunking', body);
    expect(again.stdout).toBe('Published before: json.parsed on memory\n');
  });

  test('the same key with another body is a dead letter, and the stored event stays', async () => {
    const { run, store } = setUp(STORE);
    await run('events', 'publish', 'chunking', body);
    const other = body.replace('}}', '},"page":2}');
    expect((await run('events', 'publish', 'chunking', other)).exitCode).toBe(0);
    const { jobs } = await store.jobs({ queue: 'chunking', states: ['dead'] }, { limit: 5 });
    expect(jobs.map(({ reason }) => reason)).toEqual(['idempotency_conflict']);
    expect((await store.job('chunking-xyz'))?.state).toBe('ready');
  });
});

describe('redrive start with sources', () => {
  test('a source takes events from the start: it does not report that something stops it', async () => {
    const { start, run } = setUp();
    await run('events', 'init');
    const worker = start('--health-port', 'off');
    expect((await worker.line('source.state')).msg).toBe('The source chunking takes events');
  });

  test('a source of the store bus is not listed: its events are jobs', async () => {
    const { start, run } = setUp(STORE);
    await run('events', 'publish', 'chunking', '{"data":{"message_ids":["nobody"]}}');
    const worker = start('--health-port', 'off');
    await worker.line('job.dead');
    expect(worker.lines().filter(({ event }) => event === 'source.state')).toEqual([]);
    expect(JSON.parse((await run('status', '--json')).stdout).sources).toEqual([]);
  });

  test('refuses a source that does not exist at the broker, with the remedy', async () => {
    const { start } = setUp();
    const { ran } = start('--health-port', 'off');
    const { exitCode, stderr } = await ran;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('chunking: The memory bus has no source chunking');
    expect(stderr).toContain('redrive events init');
  });

  test('refuses what loses data, all problems at once, and logs warnings', async () => {
    const { start, bus } = setUp();
    const problems: readonly BusProblem[] = [
      { severity: 'error', problem: 'The queue has a delivery limit', remedy: 'Remove it.' },
      { severity: 'error', problem: 'No rights', remedy: 'Grant them.' },
      { severity: 'warning', problem: 'The server may not sync', remedy: 'Set sync_interval.' },
    ];
    Object.assign(bus, { check: async () => ({ problems }) });
    const worker = start('--health-port', 'off');
    const { exitCode, stderr } = await worker.ran;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The queue has a delivery limit. Remove it.');
    expect(stderr).toContain('No rights. Grant them.');
    expect((await worker.line('source.checked')).msg).toContain('The server may not sync');
  });

  test('while a broker is away, health and jobs start at once, and its source begins when it answers', async () => {
    const { start, run, bus, store, opened } = setUp();
    await run('events', 'init');
    const check = bus.check.bind(bus);
    const answers = Promise.withResolvers<void>();
    Object.assign(bus, {
      check: async (source: BusSource) => {
        await answers.promise;
        return check(source);
      },
    });
    Object(globalThis).messagesOfEventsTest = ['abc'];
    const worker = start('--health-port', '0');
    const { port } = await worker.line('health.listening');
    const jobs = jobsOn(store, { 'chunking.json_parsed': async (_: object) => undefined });
    const { id } = await jobs.enqueue('chunking.json_parsed', { data: { message_ids: ['abc'] } });
    await worker.line('job.succeeded', ({ job }) => job === id);
    const away = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([away.status, await away.text()]).toEqual([
      503,
      expect.stringContaining('[-]source chunking takes nothing'),
    ]);
    const body = Buffer.from('{"data":{"message_ids":["abc"]}}');
    await bus.publish([{ destination: 'json.parsed', body }]);
    answers.resolve();
    await worker.line('job.succeeded', ({ job }) => job === 'chunking-abc');
    // For the source and for the handler events.publish.
    expect(opened).toHaveLength(1);
  });

  test('a process with a broker that is away stops without waiting for it', async () => {
    const { start, bus } = setUp();
    Object.assign(bus, { check: () => new Promise(() => {}) });
    const worker = start('--health-port', '0');
    await worker.line('health.listening');
    worker.signal('SIGTERM');
    expect((await worker.ran).exitCode).toBe(0);
  });

  test('a broker that refuses only when it is back: the source does not begin, and says why', async () => {
    const clock = virtualClock();
    const bus = memoryBus();
    await bus.declare({ name: 'chunking' });
    const limit = { severity: 'error', problem: 'It has a delivery limit', remedy: 'Remove it.' };
    const answers = [
      Promise.reject(new Error('connect ECONNREFUSED')),
      Promise.resolve({ problems: [limit] }),
    ];
    Object.assign(bus, { check: () => answers.shift() ?? Promise.resolve({ problems: [] }) });
    const parts = { store: memoryStore({ clock }), clock };
    const warned: string[] = [];
    const log = { warn: (_: object, text: string) => void warned.push(text) };
    const jobs = { isStopped: async () => false, handOver: { handOver: async () => {} } };
    const source = { name: 'chunking', bus: 'main', handler: 'h' };
    const about = { ...parts, jobs, log, onChange: () => undefined };
    const checked = new CheckedSource({ source, bus } as never, about as never); // Only these are used.
    expect(await checked.start()).toEqual([]);
    expect(checked.status).toMatchObject({ state: 'bus_away', lastError: 'connect ECONNREFUSED' });
    await clock.advance(5_000);
    expect(checked.status.lastError).toContain('It has a delivery limit. Remove it.');
    await clock.advance(5_000);
    expect(checked.status).toMatchObject({ state: 'taking', lastError: undefined });
    expect(warned).toHaveLength(2);
    await checked.stop();
  });

  test('shows the source in /readyz', async () => {
    const { start, run } = setUp();
    await run('events', 'init');
    const worker = start('--health-port', '0');
    const { port } = await worker.line('health.listening');
    await worker.line('source.state');
    const answer = await fetch(`http://127.0.0.1:${port}/readyz?verbose`);
    expect(await answer.text()).toMatch(
      /\[\+\]source chunking ok: (?:taking|stopped), 0 waiting, 0 stored, 0 duplicates/,
    );
  });

  test('a source that cannot move a message is failing in the log and in /readyz', async () => {
    const moving = `${CONFIG}      dead_letters: { publish_to: "large" }\n`;
    const { start, run, bus } = setUp(moving);
    await run('events', 'init');
    const worker = start('--health-port', '0');
    const { port } = await worker.line('health.listening');
    await bus.publish([{ destination: 'json.parsed', body: Buffer.alloc(1_048_577, 'x') }]);
    const line = await worker.line('source.state', ({ state }) => state === 'failing');
    expect(line.msg).toContain('large does not take it');
    const answer = await fetch(`http://127.0.0.1:${port}/readyz?verbose`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('cannot store or move its events');
  });

  test('a wrong name is reported with its line, and nothing starts', async () => {
    const { start } = setUp(CONFIG.replace('bus: main', 'bus: other'));
    const { exitCode, stderr } = await start('--health-port', 'off').ran;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('redrive.yaml:9');
    expect(stderr).toContain('chunking names the bus other');
  });
});

test('status shows sources: state, waiting in the broker, duplicates, last error', async () => {
  const { run, start, bus } = setUp();
  await run('events', 'init');
  const body = Buffer.from('{"data":{"message_ids":["nobody"]}}');
  await bus.publish([1, 2, 3].map(() => ({ destination: 'json.parsed', body })));
  const worker = start('--health-port', 'off');
  await worker.line('job.dead');
  worker.signal('SIGTERM');
  await worker.ran;
  const [source] = JSON.parse((await run('status', '--json')).stdout).sources;
  expect(source).toMatchObject({ name: 'chunking', state: 'gone', stored: 1, duplicates: 2 });
  expect((await run('status')).stdout).toMatch(/chunking +gone +- +1 +2 /);
});

test('events check says that a message without identity may run twice', async () => {
  const { run, bus } = setUp(CONFIG.replace('      key: ["data.message_ids"]\n', ''));
  await run('events', 'init');
  expect((await run('events', 'check')).stdout).toBe('chunking on memory: ok, 0 waiting\n');
  Object.assign(bus, { capabilities: { ...bus.capabilities, positions: false } });
  const { stdout, exitCode } = await run('events', 'check');
  expect(stdout).toContain('warning: A message without an id may run twice. Set key');
  expect(exitCode).toBe(0);
});

test('a direct source: events check says that it recognises no duplicates, status shows what it handled', async () => {
  const { run, start, bus } = setUp(`${CONFIG}      direct: true\n`);
  await run('events', 'init');
  const { stdout, exitCode } = await run('events', 'check');
  expect(stdout).toContain('warning: The source is direct: it recognises no duplicates');
  expect(exitCode).toBe(0);
  Object(globalThis).messagesOfEventsTest = ['abc'];
  const body = Buffer.from('{"data":{"message_ids":["abc"]}}');
  await bus.publish([{ destination: 'json.parsed', body }]);
  const worker = start('--health-port', '0');
  const { port } = await worker.line('health.listening');
  await worker.line('job.succeeded', ({ job }) => job === 'chunking-abc');
  const ready = await fetch(`http://127.0.0.1:${port}/readyz?verbose`);
  expect(await ready.text()).toContain('1 handled, 0 stored');
  worker.signal('SIGTERM');
  await worker.ran;
  const [source] = JSON.parse((await run('status', '--json')).stdout).sources;
  expect(source).toMatchObject({ name: 'chunking', handled: 1, stored: 0, duplicates: 0 });
});

test('events publish says what no destination takes, and an unknown source', async () => {
  const { run } = setUp();
  const lost = await run('events', 'publish', 'chunking', '{}');
  expect([lost.exitCode, lost.stderr]).toEqual([1, expect.stringContaining('json.parsed')]);
  const unknown = await run('events', 'publish', 'nobody', '{}');
  expect([unknown.exitCode, unknown.stderr]).toEqual([3, expect.stringContaining('chunking')]);
});
