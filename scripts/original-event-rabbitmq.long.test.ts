import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { definePolicy, systemClock } from '@redrive/core';
import { type JobContext, jobsOn, memoryStore } from '@redrive/durable';
import { documentHandler, documentsOn, runSweeps, type Sweep } from '@redrive/durable/documents';
import { consumeEvents } from '@redrive/durable/events';
import { rabbitmqBus } from '@redrive/rabbitmq';
import { sqliteDocuments } from '@redrive/sqlite';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { type RabbitmqService, startRabbitmq } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The consumer of the tutorial: its key is the list of ids, and its handler reads that list.

let rabbitmq: RabbitmqService;

beforeAll(async () => {
  rabbitmq = await startRabbitmq();
}, 300_000);

afterAll(() => rabbitmq?.stop());

interface Parsed {
  readonly event_id: string;
  readonly correlation_id?: string;
  readonly data: { readonly message_ids: readonly string[] };
  readonly retry_sweep?: { readonly attempt: number };
}

const EVENT = {
  event_type: 'JSONParsed',
  event_id: 'e-1',
  correlation_id: 'c-1',
  data: { message_ids: ['m-1'] },
};
const DAY_MS = 86_400_000;

test.each(['field', 'source', 'template'] as const)(
  'an event that crashed its handler for good leaves its document stuck; a sweep sends it again by its %s, and it is done',
  async (way) => {
    const directory = mkdtempSync(join(tmpdir(), 'redrive-'));
    const db = new DatabaseSync(join(directory, 'app.db'));
    db.exec(
      `create table messages (_id text primary key, status text, attemptCount integer, lastAttemptTime text,
        retry_sweep text, lastError text, placed text)`,
    );
    const placed = way === 'field' ? JSON.stringify(EVENT) : null;
    const before = new Date(systemClock.now() - 2 * DAY_MS).toISOString();
    db.prepare(
      `insert into messages (_id, status, attemptCount, placed) values ('m-1', 'pending', 0, ?)`,
    ).run(placed);

    const queue = `json.parsed-${way}`;
    const bus = rabbitmqBus(rabbitmq.url);
    const read = ['_id', 'placed'];
    const base = testCollection('messages');
    const collection = { ...base, fields: { ...base.fields, read } };
    const documents = sqliteDocuments(join(directory, 'app.db'));
    await documents.prepare(collection, { dryRun: false });
    const messages = documentsOn(documents, collection);
    const sweep: Sweep = {
      name: 'messages',
      source: documents,
      collection,
      policy: definePolicy({ id: 'documents.messages', maxAttempts: 3, baseDelayMs: 1_000 }),
      thresholdMs: DAY_MS,
      minimumAgeMs: 0,
      dependency: '',
      event: {
        ...{ type: 'JSONParsed', bus: 'main', destination: queue },
        ...(way === 'field' && { field: 'placed' }),
        ...(way === 'source' && { source: 'chunking' }),
        data: { message_ids: ['$_id'] },
      },
    };

    const store = memoryStore();
    let isMended = false;
    const seen: { readonly event: Parsed; readonly key: string; readonly session: string }[] = [];
    const [crashed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const jobs = jobsOn(store, {
      'chunking.json_parsed': {
        policy: definePolicy({ id: 'once', maxAttempts: 1 }),
        idempotent: true,
        run: async (event: Parsed, { idempotencyKey, correlationId }: JobContext) => {
          seen.push({ event, key: idempotencyKey, session: correlationId });
          for (const id of event.data.message_ids) {
            await messages.begin(id, event);
            if (!isMended) {
              queueMicrotask(crashed.resolve);
              throw new RangeError('A bug of the handler');
            }
            await messages.succeed(id);
          }
          done.resolve();
        },
      },
      'documents.messages': documentHandler(sweep, bus, { store }),
    });
    const source = {
      ...{ name: 'chunking', bus: 'main', queue, handler: 'chunking.json_parsed' },
      key: ['data.message_ids'],
      ...(way === 'source' && { documents: { messages: ['data.message_ids'] } }),
    };
    await bus.declare(source);
    await jobs.start();
    const consumer = consumeEvents(source, { bus, store, jobs });
    try {
      const headers = { 'redrive-session': 's-1' };
      const body = Buffer.from(JSON.stringify(EVENT));
      await bus.publish([{ destination: queue, body, headers, id: 'e-1' }]);
      await crashed.promise;
      await jobs.idle();
      expect((await store.countDead({}, 10)).count).toBe(1);

      db.prepare('update messages set lastAttemptTime = ?').run(before);
      isMended = true;
      const actor = { name: 'test' };
      const parts = { store, clock: systemClock, sweeps: [sweep], intervalMs: 900_000, actor };
      await runSweeps({ ...parts, notify: () => {} });
      await done.promise;
      await jobs.idle();
      const row = db.prepare('select status, attemptCount, retry_sweep from messages').get();
      expect(row).toMatchObject({ status: 'processed', attemptCount: 2 });

      const [first, second, ...rest] = seen;
      expect(rest).toEqual([]);
      expect([first?.key, second?.key]).toEqual(['chunking-m-1', 'chunking-m-1']);
      const { event_id: id } = second?.event ?? {};
      expect(id).toBe(JSON.parse(String(row?.retry_sweep)).event);
      const original = way === 'template' ? { event_type: 'JSONParsed', data: EVENT.data } : EVENT;
      expect(second?.event).toEqual({
        ...original,
        event_id: id,
        timestamp: expect.any(String),
        retry_sweep: { attempt: 2 },
      });
      if (way === 'source') expect(second?.session).toBe('s-1');
    } finally {
      await consumer.stop();
      await jobs.stop();
      await bus.close();
      await documents.close();
      await store.close();
      db.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
