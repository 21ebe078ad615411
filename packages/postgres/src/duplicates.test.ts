import type { FullStore } from '@redrive/durable';
import type { EnqueueCommand } from '@redrive/durable/store';
import { describe, expect, it } from 'vitest';
import { enqueueOf, ids } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

const ORIGIN = { rung: 'event', bus: 'nats', source: 'orders' } as const;
const event = (id: string): EnqueueCommand => enqueueOf(id, { origin: ORIGIN });
const withHeader = (id: string): EnqueueCommand => enqueueOf(id, { headers: { of: id } });
const withKey = (id: string): EnqueueCommand => enqueueOf(id, { uniqueKey: `key of ${id}` });

/** The outcomes of a batch, counted. */
async function outcomes(store: FullStore, batch: readonly EnqueueCommand[]) {
  const counted: Record<string, number> = {};
  for (const result of await store.apply(batch)) {
    const outcome = result.ok ? result.outcome : result.refusal;
    counted[outcome] = (counted[outcome] ?? 0) + 1;
  }
  return counted;
}

/** The groups of records in the newest audit block. Jobs that one statement accepts are one group. */
async function groupsOfLast(store: FullStore): Promise<number> {
  const [last] = (await store.auditBlocks(0, 10)).slice(-1);
  const groups = JSON.parse(last?.body ?? '[]') as unknown[];
  return groups.length;
}

describe('one duplicate_id does not send its whole batch row by row', () => {
  it.each([
    ['events of one source', event],
    ['jobs that differ in a header', withHeader],
    ['jobs with unique keys', withKey],
  ])('%s', async (_, of) => {
    const { store } = await server.emptyStore();
    const batch = ids(256);
    await store.apply([of(batch[100] as string)]);
    expect(await outcomes(store, batch.map(of).map(withoutKeyOf(batch[100])))).toEqual({
      created: 255,
      duplicate_id: 1,
    });
    expect(await groupsOfLast(store)).toBe(1);
    const job = await store.job(batch[255] as string);
    expect(job).toMatchObject(of(batch[255] as string).job);
    await store.close();
  });

  it('a batch that is delivered again is refused as a whole, and writes no audit block', async () => {
    const { store } = await server.emptyStore();
    const batch = ids(8).map(event);
    await store.apply(batch);
    const blocks = await store.auditBlocks(0, 10);
    expect(await outcomes(store, batch)).toEqual({ duplicate_id: 8 });
    expect(await outcomes(store, ids(8).map(withHeader))).toEqual({ duplicate_id: 8 });
    expect(await store.auditBlocks(0, 10)).toEqual(blocks);
    await store.close();
  });

  it('a conflict of unique keys beside it is answered row by row', async () => {
    const { store } = await server.emptyStore();
    await store.apply([event('a')]);
    const batch = [
      withHeader('a'),
      enqueueOf('b', { uniqueKey: 'k' }),
      enqueueOf('c', { uniqueKey: 'k', onConflict: 'refuse' }),
    ];
    expect(await store.apply(batch)).toEqual([
      { ok: false, refusal: 'duplicate_id', id: 'a' },
      { ok: true, outcome: 'created', id: 'b' },
      { ok: false, refusal: 'unique_conflict', id: 'b' },
    ]);
    await store.close();
  });

  it('a duplicate that the transaction cannot see ends the statement, which could go on for ever', async () => {
    const schema = server.newSchema();
    const store = await openMade(server.url, { schema, onWarning: () => {} });
    await server.sql('begin isolation level repeatable read; select 1');
    await store.apply([event('a')]);
    await server.sql("set local statement_timeout = '5s'");
    const call = `select ${schema}.enqueue_uniform(5, null, '{a}', 'mail', 'default', '{}', '1', null)`;
    await expect(server.sql(call)).rejects.toMatchObject({ code: '40001' });
    await server.sql('rollback');
    await store.close();
  });

  it('large payloads beside it are kept', async () => {
    const { store } = await server.emptyStore();
    const text = JSON.stringify('x'.repeat(5_000));
    await store.apply([event('a')]);
    const large = enqueueOf('b', { payload: { kind: 'json', text } });
    expect(await outcomes(store, [enqueueOf('a'), large])).toEqual({ created: 1, duplicate_id: 1 });
    expect((await store.job('b'))?.payload).toEqual({ kind: 'json', text });
    await store.close();
  });
});

/** The key of a job that waits is taken: a second one with it is no mere duplicate. */
const withoutKeyOf =
  (id: string | undefined) =>
  (command: EnqueueCommand): EnqueueCommand =>
    command.job.id === id ? enqueueOf(command.job.id) : command;
