import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

let place: Scratch;
let store: FullStore;
let pulseSql = '';
beforeEach(async () => {
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    if (sql.includes('FROM control_revision') && sql.includes('due_at')) pulseSql = sql;
    return prepare.call(this, sql);
  });
  place = scratch();
  store = await openMade(place.path, {}, { audit: true, start: withoutThreads });
});
afterEach(async () => {
  await store.close();
  place.remove();
  vi.restoreAllMocks();
});

it('says whether there are ready jobs of these handlers', async () => {
  await store.apply([enqueueOf('a', { handler: 'mail' })]);
  const ready = async (...handlers: string[]) => (await store.pulse(handlers)).ready;
  expect([await ready('mail'), await ready('fax'), await ready('fax', 'mail')]).toEqual([
    true,
    false,
    true,
  ]);
});

it('does not read the ready jobs of other handlers', async () => {
  await store.pulse(['mail']);
  const db = new DatabaseSync(place.path);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${pulseSql}`).all('[]');
  db.close();
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps.filter((step) => step.includes('jobs_ready'))).toEqual([
    expect.stringMatching(/^SEARCH j .*\(priority=\? AND tenant=\? AND ready_lane=\?\)/),
  ]);
  expect(steps).toContainEqual(expect.stringMatching(/^SEARCH f .*\(lane=\?\)/));
});

it('is exact while a flow outlives its jobs', async () => {
  await store.apply([enqueueOf('a', { tenant: 'x' }), enqueueOf('b', { tenant: 'y' })]);
  const cancel = (id: string) =>
    store.apply([{ kind: 'act', act: 'cancel', id, actor: { name: 'test' } }]);
  await cancel('a');
  expect((await store.pulse(['mail'])).ready).toBe(true);
  await cancel('b');
  expect((await store.pulse(['mail'])).ready).toBe(false);
});
