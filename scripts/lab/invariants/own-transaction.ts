import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { jobsOn } from '@redrive/durable';
import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';
import { enqueueIn, openStore } from '@redrive/sqlite';
import { seededRandom } from '@redrive/testkit';
import type { Looks } from './looks.ts';

/** Jobs in the caller's own transactions, which the store in memory does not have: those of SQLite. */
export interface OwnTransactions {
  /** One transaction that commits, rolls back or loses its connection, as the seed says. */
  look(seed: number, looks: Looks): Promise<void>;
  close(): Promise<void>;
}

/** `enqueue`: a test plants another one. */
export async function ownTransactions(
  enqueue: (db: DatabaseSync, command: EnqueueCommand) => EnqueueResult = enqueueIn,
): Promise<OwnTransactions> {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-lab-'));
  const path = join(directory, 'jobs.db');
  const store = await openStore(path);
  await store.migrate();
  const jobs = jobsOn(store, { work: async () => null }, { log: 'off' });
  const open = () => {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 10000');
    return db;
  };
  let own = open();
  own.exec('CREATE TABLE orders (id TEXT PRIMARY KEY)');

  return {
    async look(seed, looks) {
      const random = seededRandom(seed);
      const end = random() < 0.5 ? 'COMMIT' : random() < 0.7 ? 'ROLLBACK' : 'lost';
      const commands = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        jobs.prepare('work', null),
      );
      own.exec('BEGIN IMMEDIATE');
      own.prepare('INSERT INTO orders VALUES (?)').run(`order-${seed}`);
      for (const command of commands) enqueue(own, command);
      const before = await Promise.all(commands.map(({ job }) => store.job(job.id)));
      if (end === 'lost') {
        own.close();
        own = open();
      } else own.exec(end);
      const after = await Promise.all(commands.map(({ job }) => store.job(job.id)));
      const order = own.prepare('SELECT id FROM orders WHERE id = ?').get(`order-${seed}`);
      const isThere = end === 'COMMIT';
      const isHidden = before.every((job) => job === undefined);
      looks.hold(7, isHidden, () => `seed ${seed}: a job is visible before the commit`);
      const holds = after.every((job) => (job !== undefined) === isThere);
      looks.hold(7, holds && (order !== undefined) === isThere, () => `seed ${seed}: ${end}`);
    },
    async close() {
      own.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
