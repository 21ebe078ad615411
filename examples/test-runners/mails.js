// What the tests are about: a job that is retried over hours, and an order with its job in one transaction.
import { jobsOn } from '@redrive/durable';
import { enqueueIn } from '@redrive/sqlite';

/** The jobs of the shop. Tests pass a store in memory and a clock. */
export const shopJobs = (store, send, options = {}) =>
  jobsOn(
    store,
    {
      mail: {
        policy: { maxAttempts: 3, baseDelayMs: 3_600_000, maxDelayMs: 86_400_000, jitter: 'none' },
        run: (order) => send(order),
      },
    },
    options,
  );

/** Writes an order and its mail, both or none. */
export function placeOrder(db, jobs, id) {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.prepare('INSERT INTO orders VALUES (?)').run(id);
    enqueueIn(db, jobs.prepare('mail', id));
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
