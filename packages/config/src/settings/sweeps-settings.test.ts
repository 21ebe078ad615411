import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { eventsSettings } from './events-settings.ts';
import { sweepsSettings } from './sweeps-settings.ts';

const HEAD = `version: "1.1.0"
buses: { main: { url: "amqp://127.0.0.1" } }
`;
const errorsOf = (text: string) =>
  parseConfig(HEAD + text).problems.filter(({ severity }) => severity === 'error');

describe('sweeps of a file', () => {
  it('have the preset and the defaults of seed B', () => {
    const { config } = parseConfig(`${HEAD}
sweeps:
  collections:
    archives: { source: "mongodb://127.0.0.1/copilot", bus: main }
    chunks: { source: "sqlite:./docs.db", bus: main, table: parts, dependency: model }
`);
    const { intervalMs, collections } = sweepsSettings(config ?? never(), '/app');
    expect(intervalMs).toBe(900_000);
    expect(collections[0]).toEqual({
      name: 'archives',
      source: 'mongodb://127.0.0.1/copilot',
      table: 'archives',
      fields: {
        id: '_id',
        status: 'status',
        count: 'attemptCount',
        time: 'lastAttemptTime',
        mark: 'retry_sweep',
        error: 'lastError',
        read: ['_id'],
      },
      pending: ['pending', 'processing'],
      done: ['processed'],
      failed: 'failed_max_retries',
      policy: 'documents.archives',
      thresholdMs: 86_400_000,
      minimumAgeMs: 0,
      dynamicBackoff: false,
      dependency: '',
      changes: [],
      event: {
        type: 'ArchiveIngested',
        bus: 'main',
        destination: 'archive.ingested',
        data: { archive_id: '$_id' },
      },
      failedEvent: {
        type: 'ParsingFailed',
        bus: 'main',
        destination: 'parsing.failed',
        data: { archive_id: '$_id' },
      },
    });
    expect(collections[1]).toMatchObject({
      source: 'sqlite:/app/docs.db',
      table: 'parts',
      dependency: 'model',
      policy: 'documents.chunks',
      event: { type: 'ChunksPrepared', destination: 'chunks.prepared' },
      failedEvent: { type: 'EmbeddingFailed', destination: 'embedding.failed' },
    });
  });

  it.each([
    ['messages', 'JSONParsed', 'json.parsed', 3, 'chunking.failed', 'message_ids'],
    ['chunks', 'ChunksPrepared', 'chunks.prepared', 5, 'embedding.failed', 'chunk_ids'],
    [
      ...(['threads', 'SummarizationRequested', 'summarization.requested', 5] as const),
      ...(['summarization.failed', 'thread_ids'] as const),
    ],
  ])(
    'know %s, and send the list that its service reads',
    (name, type, destination, attempts, failedQueue, ids) => {
      const { config } = parseConfig(
        `${HEAD}\nsweeps: { collections: { ${name}: { source: "sqlite:/d.db", bus: main } } }`,
      );
      const [collection] = sweepsSettings(config ?? never()).collections;
      expect(collection?.event).toMatchObject({ type, destination, data: { [ids]: ['$_id'] } });
      expect(collection?.failedEvent?.destination).toBe(failedQueue);
      expect(config?.policies.get(collection?.policy ?? '')?.policy.maxAttempts).toBe(attempts);
    },
  );

  it('may send the event of each change, on MongoDB', () => {
    const archives = (source: string, changes: string) =>
      `sweeps: { collections: { archives: { source: "${source}", bus: main, changes: ${changes} } } }`;
    const { config } = parseConfig(HEAD + archives('mongodb://127.0.0.1/docs', '[insert, delete]'));
    const [collection] = sweepsSettings(config ?? never()).collections;
    expect(collection?.changes).toEqual(['insert', 'delete']);
    const problems = errorsOf(archives('sqlite:/d.db', '[upsert]'));
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['invalid_sweep', 'archives: upsert is not a change; write insert, update, replace, delete'],
      ['invalid_sweep', 'archives: only MongoDB has changes to follow; others have the outbox'],
    ]);
  });

  it('may have names, statuses, data and a priority of their own', () => {
    const { config, problems } = parseConfig(`${HEAD}
policies: { orders: { extends: documents.archives, max_attempts: 4 } }
jobs: { handlers: { pay: { module: ./pay.mjs } } }
events: { sources: { orders: { bus: main, queue: orders, handler: pay, key: [data.order] } } }
sweeps:
  stuck_threshold: 60
  collections:
    orders:
      source: postgres://127.0.0.1/shop
      table: shop.orders
      id_field: order_no
      created_field: created_at
      minimum_age: 30
      pending: [new]
      done: [paid, shipped]
      failed: stuck
      policy: orders
      priority_field: created_at
      bus: main
      event: OrderPlaced
      destination: shop/order.placed
      failed_event: OrderFailed
      failed_destination: order.failed
      event_field: placed
      event_source: { source: orders }
      data: { order: $order_no, rows: [{ by: $customer_id, note: $$5 }] }
`);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(sweepsSettings(config ?? never()).collections[0]).toMatchObject({
      table: 'shop.orders',
      fields: {
        id: 'order_no',
        created: 'created_at',
        read: ['order_no', 'customer_id', 'created_at', 'placed'],
      },
      ...{ pending: ['new'], done: ['paid', 'shipped'], failed: 'stuck', policy: 'orders' },
      ...{ thresholdMs: 60_000, minimumAgeMs: 30_000 },
      priority: { field: 'created_at', first: 'newest' },
      event: {
        ...{ type: 'OrderPlaced', field: 'placed', source: 'orders' },
        data: { order: '$order_no', rows: [{ by: '$customer_id', note: '$$5' }] },
      },
      failedEvent: { type: 'OrderFailed', destination: 'order.failed', bus: 'main' },
    });
    const [source] = eventsSettings(config ?? never()).sources;
    expect(source?.documents).toEqual({ orders: ['data.order'] });
  });

  it('are refused with every problem at once', () => {
    const problems = errorsOf(`
sweeps:
  collections:
    orders:
      source: "redis://host"
      bus: other
      status_field: "$where"
      event_source: { source: shop }
      data: { order: "$a\\u0007b", n: .nan }
      pending: [open, paid]
      done: [paid]
      minimum_age: 5
      failed_event: OrderFailed
`);
    expect(problems.map(({ code, message }) => [code, message])).toEqual(
      expect.arrayContaining([
        ['invalid_sweep', expect.stringContaining('no adapter knows this database')],
        ['invalid_sweep', 'orders names the bus other, which is not under buses'],
        ['invalid_sweep', 'orders: "$where" cannot be the name of a field'],
        ['invalid_sweep', 'orders: "$a\u0007b" names no field'],
        ['invalid_sweep', 'orders: data has a number that JSON does not have'],
        ['invalid_sweep', 'orders has its events from shop, which is not under events.sources'],
        ['invalid_sweep', 'orders has no event, and is not in the preset'],
        ['invalid_sweep', 'orders has no destination, and is not in the preset'],
        ['invalid_sweep', 'orders has no policy, and no policy is called documents.orders'],
        ['invalid_sweep', 'orders has the status paid twice'],
        ['invalid_sweep', 'orders needs both failed_event and failed_destination'],
        ['invalid_sweep', 'orders has a minimum_age, but no created_field'],
      ]),
    );
  });

  it.each([
    ['data: { id: _id }', 'archives: data names no field of the document'],
    ['event_source: { source: parsing }', 'archives does not say where the ids of documents are'],
    ['event_field: "$e"', 'archives: "$e" cannot be the name of a field'],
    [`data: { a: $_id, b: "${'x'.repeat(16_400)}" }`, 'archives: data has more than 16384 bytes'],
  ])('are refused where no event could be made: %s', (given, message) => {
    const problems = errorsOf(`
jobs: { handlers: { parse: { module: ./parse.mjs } } }
events: { sources: { parsing: { bus: main, queue: archives, handler: parse } } }
sweeps: { collections: { archives: { source: "mongodb://h/d", bus: main, ${given} } } }
`);
    expect(problems).toEqual([
      expect.objectContaining({ code: 'invalid_sweep', message: expect.stringContaining(message) }),
    ]);
  });

  it('take scalars alone as names: an operator of a database is no field', () => {
    const problems = errorsOf(`
sweeps:
  collections:
    archives: { source: "mongodb://h/d", bus: main, status_field: { "$gt": "" }, failed: { "$ne": 1 } }
`);
    expect(problems.length).toBeGreaterThanOrEqual(2);
  });
});

function never(): never {
  throw new Error('The configuration is not valid');
}
