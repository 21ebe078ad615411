// An order and its mail in one transaction: both or none. `node examples/jobs-in-a-transaction.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { jobsOn } from '@redrive/durable';
import { enqueueIn, openStore } from '@redrive/sqlite';

const directory = mkdtempSync(join(tmpdir(), 'redrive-example-'));
const file = join(directory, 'shop.db');
const store = await openStore(file);
// The tables of the store. A worker makes them too, when it starts.
await store.migrate();
const jobs = jobsOn(store, { confirm: async (order: string) => `confirmed ${order}` });

// The shop's own tables are in the same file, and the shop writes them through its own connection.
const shop = new DatabaseSync(file);
shop.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, paid INTEGER NOT NULL CHECK (paid > 0))');

/** Stores the order and enqueues its confirmation. Answers the job's id. */
function placeOrder(id: string, paid: number): string {
  const confirmation = jobs.prepare('confirm', id, { id: `confirm ${id}` });
  shop.exec('BEGIN IMMEDIATE');
  try {
    const job = enqueueIn(shop, confirmation);
    shop.prepare('INSERT INTO orders VALUES (?, ?)').run(id, paid);
    shop.exec('COMMIT');
    store.committed();
    return job.id;
  } catch (error) {
    shop.exec('ROLLBACK');
    throw error;
  }
}

const job = placeOrder('order 1', 20);
try {
  placeOrder('order 2', 0);
} catch (error) {
  // The job was enqueued before the order was refused, and is gone with it.
  console.log(error instanceof Error ? error.message : error);
}

await jobs.start();
console.log(await jobs.wait(job));
const { groups } = await store.counts();
for (const { handler, state, count } of groups) console.log(`${handler}: ${count} ${state}`);

await jobs.stop();
await store.close();
shop.close();
rmSync(directory, { recursive: true });
