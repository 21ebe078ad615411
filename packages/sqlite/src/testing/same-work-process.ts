import { DatabaseSync } from 'node:sqlite';
import { jobsOn, runsElsewhere } from '@redrive/durable';
import { enqueueIn } from '../enqueue-in.ts';
import { openMade } from './open-made.ts';

// A process beside the test: it enqueues the same work again and again, through the store and in transactions of its own.

const [path = ''] = process.argv.slice(2);
const store = await openMade(path, { timeoutMs: 30_000 });
const jobs = jobsOn(store, { report: runsElsewhere() });
const db = new DatabaseSync(path, { timeout: 30_000 });
db.exec('PRAGMA synchronous = FULL');
const WAYS = [{ id: 'report:1' }, { unique: { key: 'slot', forMs: 3_600_000 } }];
const ROUNDS = 20;

process.send?.('ready');
process.once('message', async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const waiting = WAYS.map((options) => jobs.enqueue('report', 1, options));
    for (const job of await Promise.all(waiting)) outcomes.push(job.outcome);
    for (const options of WAYS) {
      const command = jobs.prepare('report', 1, options);
      db.exec('BEGIN IMMEDIATE');
      const result = enqueueIn(db, command);
      db.exec('COMMIT');
      outcomes.push(result.ok ? result.outcome : result.refusal);
    }
  }
  process.send?.(outcomes);
  db.close();
  await store.close();
  process.disconnect();
});
