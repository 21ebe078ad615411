// npx vitest run --dir vitest
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { memoryStore } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { placeOrder, shopJobs } from '../mails.js';

test('a mail is tried again after one hour and after two', async () => {
  const clock = virtualClock();
  const hours = [];
  const send = async () => {
    hours.push(clock.monotonic() / 3_600_000);
    if (hours.length < 3) throw new Error('connection reset');
    return 'sent';
  };
  const jobs = shopJobs(memoryStore({ clock }), send, { clock, log: 'off' });
  await jobs.start();
  const job = await jobs.enqueue('mail', 'order-1');
  // In steps of a minute, so that the worker can run each job that becomes due.
  for (let minute = 0; minute < 200; minute += 1) await clock.advance(60_000);
  expect(await jobs.job(job.id)).toMatchObject({ state: 'succeeded' });
  expect(hours).toEqual([0, 1, 3]);
  await jobs.stop();
  expectNoTimers(clock);
});

test('an order that cannot be written has no mail', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shop-'));
  const store = await openStore(join(directory, 'shop.db'));
  await store.migrate();
  const jobs = shopJobs(store, async (order) => order, { log: 'off' });
  const db = new DatabaseSync(join(directory, 'shop.db'));
  db.exec('CREATE TABLE orders (id TEXT PRIMARY KEY)');
  placeOrder(db, jobs, 'order-1');
  expect(() => placeOrder(db, jobs, 'order-1')).toThrow('UNIQUE constraint failed');
  const { groups } = await store.counts();
  expect(groups).toEqual([expect.objectContaining({ state: 'ready', count: 1 })]);
  db.close();
  await store.close();
  rmSync(directory, { recursive: true });
});
