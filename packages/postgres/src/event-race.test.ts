import { type Policy, systemClock } from '@redrive/core';
import { jobsOn } from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import {
  consumeEvents,
  DocumentNotFoundError,
  memoryBus,
  publishHandler,
} from '@redrive/durable/events';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { enqueueIn } from './enqueue-in.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();

/** The chunking service: takes json.parsed, and finds the messages of each event in the database. */
async function chunkingService() {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create table ${schema}.messages (id text primary key)`);
  const lines: string[] = [];
  const waiters = new Map<string, () => void>();
  const line = (level: string) => (_: object, text: string) => {
    lines.push(`${level}: ${text}`);
    for (const [part, wake] of waiters) if (text.includes(part)) wake();
  };
  const looks = new Map<string, number>();
  const bus = memoryBus();
  const source = {
    ...{ name: 'chunking', bus: 'main', subject: 'json.parsed', handler: 'chunk' },
    key: ['data.message_ids'],
  };
  await bus.declare(source);
  const chunk = async ({ data }: { data: { message_ids: string[] } }) => {
    const [id = ''] = data.message_ids;
    looks.set(id, (looks.get(id) ?? 0) + 1);
    // The document of "late" is committed while its third attempt runs, as by a slow writer.
    if (id === 'late' && looks.get(id) === 3)
      await client.query(`insert into ${schema}.messages values ('late')`);
    const { rowCount } = await client.query(`select 1 from ${schema}.messages where id = $1`, [id]);
    waiters.get(`found ${id}`)?.();
    if (rowCount === 0) throw new DocumentNotFoundError('No messages found in the database');
  };
  // The waits of the seed, shortened by RETRY_BASE_DELAY_MS.
  const policy: Policy = {
    id: 'events.default',
    maxAttempts: 8,
    baseDelayMs: 2,
    maxDelayMs: 60_000,
    jitter: 'full',
    jitterAmount: 1,
    ttlMs: 1_800_000,
    unclassified: 'final',
  };
  const jobs = jobsOn(
    store,
    { chunk, 'events.publish': publishHandler({ main: bus }) },
    {
      log: { info: line('INFO'), warn: line('WARNING'), error: line('ERROR') },
      policies: (id) => (id === policy.id ? policy : undefined),
      pollMs: 20,
    },
  );
  await jobs.start();
  const consumer = consumeEvents(source, { bus, store, jobs, clock: systemClock });
  onTestFinished(async () => {
    await consumer.stop();
    await jobs.stop();
    await bus.close();
    await client.end();
    await store.close();
  });
  const logged = (part: string) => new Promise<void>((resolve) => waiters.set(part, resolve));
  const publish = (id: string) =>
    bus.publish([
      {
        destination: 'json.parsed',
        body: Buffer.from(JSON.stringify({ data: { message_ids: [id] } })),
      },
    ]);
  return { store, client, jobs, schema, lines, looks, logged, publish, bus };
}

it('a late document is handled after n attempts; one that never comes is a dead letter with exactly the seed payload, both with its log lines', async () => {
  const { store, lines, looks, logged, publish } = await chunkingService();
  const handled = logged('processed successfully');
  await publish('late');
  await handled;
  expect(looks.get('late')).toBe(3);
  expect(lines).toContain('INFO: Retry attempt 3/8 for event with idempotency key: chunking-late');
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^INFO: Event processed successfully after 3 retry attempts \(total latency: \d+\.\d\ds\)$/,
    ),
  );

  const dead = logged('sent to DLQ');
  await publish('never');
  await dead;
  expect(looks.get('never')).toBe(8);
  const job = await store.job('chunking-never');
  if (job === undefined) throw new Error('There is no dead letter');
  const { redrive: _, ...payload } = deadLetterOf(job, { payload: 'full' });
  expect(Object.entries(payload)).toEqual([
    ['original_event', { data: { message_ids: ['never'] } }],
    ['idempotency_key', 'chunking-never'],
    ['attempt_count', 8],
    ['last_error', 'DocumentNotFoundError: No messages found in the database'],
    ['error_type', 'DocumentNotFoundError'],
    ['abandoned_reason', 'max_attempts_exceeded'],
    ['service_name', 'chunking'],
    ['timestamp', expect.stringMatching(/^\d{4}-\d\d-\d\dT/)],
  ]);
  expect(lines.filter((line) => !line.startsWith('INFO'))).toEqual([
    'WARNING: Last attempt 8/8 for event with idempotency key: chunking-never',
    'ERROR: Event sent to DLQ after 8 attempts (reason: max_attempts_exceeded): No messages found in the database',
  ]);
});

it('the outbox: an event that is enqueued with its row never precedes it, and is not sent where the row is rolled back', async () => {
  const { client: _, schema, jobs, store, looks, logged, lines } = await chunkingService();
  const writer = new Client({ connectionString: server.url });
  await writer.connect();
  onTestFinished(() => writer.end());
  const write = async (id: string, end: 'commit' | 'rollback') => {
    await writer.query('begin');
    await writer.query(`insert into ${schema}.messages values ($1)`, [id]);
    const payload = {
      bus: 'main',
      destination: 'json.parsed',
      event: { data: { message_ids: [id] } },
    };
    const result = await enqueueIn(writer, jobs.prepare('events.publish', payload), { schema });
    await writer.query(end);
    return result.id;
  };
  const undone = await write('undone', 'rollback');
  const done = logged('found written');
  await write('written', 'commit');
  await done;
  await jobs.idle();
  expect([...looks]).toEqual([['written', 1]]);
  expect(await store.job(undone)).toBeUndefined();
  expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([]);
});
