import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import { type NoteCommand, recordsIn } from '@redrive/durable/store';
import { auditBlocks, auditRecords, trailOf } from './audit-trail.ts';
import { act, claimOf, enqueue, enqueueOf, find, leased, tick } from './commands.ts';
import { settle, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** The notes that the log has of a subject. */
async function notesOf(store: Store, subject: string): Promise<unknown[]> {
  const records = await auditRecords(store);
  return records.filter((record) => record.id === subject).map(({ detail }) => detail);
}

export function auditTests({ test }: StoreSuite): void {
  test('has one note per key and time, however many write it', async ({ store, clock, reopen }) => {
    const note = (n: number, key = 'read:a', subject = 'list'): NoteCommand => {
      const once = { key, forMs: 900_000 };
      return { kind: 'note', event: 'read', subject, detail: `{"n":${n}}`, once };
    };
    await store.apply([note(1), note(2)]);
    await Promise.all([store.apply([note(3)]), store.apply([note(4)])]);
    await clock.advance(899_999);
    await store.apply([note(5), note(6, 'read:b', 'other')]);
    deepEqual(await notesOf(store, 'list'), [{ n: 1 }]);
    deepEqual(await notesOf(store, 'other'), [{ n: 6 }]);
    const again = (await reopen?.()) ?? store;
    await again.apply([note(7)]);
    await clock.advance(1);
    await again.apply([note(8), note(9)]);
    deepEqual(await notesOf(again, 'list'), [{ n: 1 }, { n: 8 }]);
    return again;
  });

  test('has one record per transition, with everything that changed', async ({ store, clock }) => {
    const startMs = clock.now();
    const actor = { name: 'app', why: 'order 7' };
    const due = { inMs: 100 };
    const deadline = { atMs: startMs + 90_000 };
    const spec = { queue: 'slow', tenant: 'acme', priority: 4, sessionId: 's-1' };
    await enqueue(store, 'job-1', { ...spec, actor, due, deadline, headers: { secret: 'x' } });
    await clock.advance(100);
    const [{ jobs }] = await store.apply([claimOf({ worker: 'w-1', leaseMs: 500 })]);
    const [job] = jobs;
    if (job === undefined) throw new Error('one job to be claimed');
    await clock.advance(10);
    const detail = '{"reason":"retryable_error","n":[1,null,"é"]}';
    await settled(store, settlementFor(job, 'scheduled', { dueInMs: 5_000, detail }));
    await clock.advance(10);
    await act(store, 'cancel', 'job-1');
    const trail = await trailOf(store, 'job-1');
    const facts = trail.map(({ block: _block, previousBlock: _previous, ...fact }) => fact);
    const common = { id: 'job-1', generation: 1 };
    deepEqual(facts, [
      {
        ...common,
        revision: 1,
        event: 'enqueue',
        from: null,
        to: 'scheduled',
        atMs: startMs,
        token: 0,
        executions: 0,
        detail: {
          by: 'app',
          why: 'order 7',
          handler: 'resize',
          queue: 'slow',
          tenant: 'acme',
          priority: 4,
          due,
          deadline,
          session: 's-1',
        },
      },
      {
        ...common,
        revision: 2,
        event: 'claim',
        from: 'ready',
        to: 'leased',
        atMs: startMs + 100,
        token: 1,
        executions: 1,
        detail: { by: 'w-1', leaseMs: 500, policy: 'policy-1' },
      },
      {
        ...common,
        revision: 3,
        event: 'settle',
        from: 'leased',
        to: 'scheduled',
        atMs: startMs + 110,
        token: 2,
        executions: 1,
        detail: JSON.parse(detail),
      },
      {
        ...common,
        revision: 4,
        event: 'cancel',
        from: 'scheduled',
        to: 'cancelled',
        atMs: startMs + 120,
        token: 2,
        executions: 1,
        detail: { by: 'test' },
      },
    ]);
  });

  test('has one block per transaction, with the time of the store', async ({ store, clock }) => {
    const commands = [enqueueOf('a'), enqueueOf('b'), claimOf({ limit: 1 })] as const;
    const [, , { jobs }] = await store.apply(commands);
    await clock.advance(5);
    for (const job of jobs) await settled(store, settlementFor(job, 'succeeded'));
    const blocks = await auditBlocks(store);
    deepEqual(
      blocks.map(({ atMs, body }) => [atMs, recordsIn({ body }).length]),
      [
        [clock.now() - 5, 3],
        [clock.now(), 1],
      ],
    );
    const [first, second] = blocks;
    equal(second?.prevHash, first?.hash);
  });

  test('stores fields that the records of a block share once: a job leaves fewer than 150 bytes', async ({
    store,
  }) => {
    const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`);
    await store.apply(ids.map((id) => enqueueOf(id)));
    const [{ jobs }] = await store.apply([claimOf({ limit: 100 })] as const);
    await store.apply(
      jobs.map((job) => ({ kind: 'settle', settlement: settlementFor(job, 'succeeded') }) as const),
    );
    const blocks = await auditBlocks(store);
    const bytes = blocks.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    ok(bytes < 150 * ids.length, `${bytes} bytes for ${ids.length} jobs`);
    equal((await auditRecords(store)).length, 3 * ids.length);
  });

  test('has no record of commands that were refused or changed nothing', async ({
    store,
    clock,
  }) => {
    const job = await leased(store, 'job-1', { uniqueKey: 'u' });
    const before = await auditBlocks(store);
    await settle(store, { ...settlementFor(job, 'succeeded'), token: 99 });
    await settle(store, settlementFor(job, 'dead', { by: 'expired' }));
    await act(store, 'purge', 'job-1');
    await act(store, 'requeue', 'nobody');
    await enqueue(store, 'job-1');
    await enqueue(store, 'job-2', { uniqueKey: 'u' });
    await enqueue(store, 'job-2', { uniqueKey: 'u', onConflict: 'refuse' });
    await enqueue(store, 'job-2', { uniqueKey: 'u', onConflict: 'replace' });
    await tick(store);
    await clock.advance(10);
    await store.apply([claimOf()]);
    await store.heartbeat([job], 60_000);
    deepEqual(await auditBlocks(store), before);
    equal((await find(store, 'job-1')).revision, 2);
  });

  test('has notes, which are not transitions of a job', async ({ store, clock }) => {
    const results = await store.apply([
      { kind: 'note', event: 'config', subject: 'redrive.yaml', detail: '{"version":2}' },
      enqueueOf('job-1'),
      { kind: 'note', event: 'read', subject: 'job-1', detail: '{"by":"cli"}' },
    ]);
    deepEqual(results[0], { ok: true });
    const notes = (await auditRecords(store)).filter(({ revision }) => revision === 0);
    const nothing = { token: 0, generation: 0, executions: 0, previousBlock: 0, revision: 0 };
    const common = { ...nothing, from: null, to: null, atMs: clock.now() };
    deepEqual(
      notes.map(({ block: _block, ...note }) => note),
      [
        { ...common, id: 'redrive.yaml', event: 'config', detail: { version: 2 } },
        { ...common, id: 'job-1', event: 'read', detail: { by: 'cli' } },
      ],
    );
  });

  test('is read page by page', async ({ store }) => {
    for (let n = 0; n < 7; n++) await enqueue(store, `job-${n}`);
    const all = await auditBlocks(store);
    equal(all.length, 7);
    for (const size of [1, 2, 3, 7]) deepEqual(await auditBlocks(store, size), all, `${size}`);
    deepEqual(await store.auditBlocks(all.at(-1)?.seq ?? 0, 10), []);
  });

  test('has no payload, header, result or unique key', async ({ store }) => {
    const secret = 'sesame-4711';
    const job = await leased(store, 'job-1', {
      payload: { kind: 'json', text: JSON.stringify({ secret }) },
      headers: { authorization: secret },
      uniqueKey: secret,
      limitKey: secret,
    });
    await settled(store, settlementFor(job, 'succeeded', { result: JSON.stringify({ secret }) }));
    for (const { body } of await auditBlocks(store)) equal(body.includes(secret), false);
  });
}
