import type { DatabaseSync } from 'node:sqlite';
import { type Query, query, type Statement, statement } from '../database/statement.ts';

/**
 * Jobs whose limit key is used up. A claim that meets one takes it out of the index of ready jobs, so that no later claim
 * meets it again; when a lease of the key ends, one job of every tenant in every lane comes back, the first in the order
 * of the queue. What comes back in vain is held again: that costs one look per tenant, however many jobs wait.
 *
 * So for every key, lane and tenant, whatever is held back stands behind a lease of the key or a job that can be claimed.
 */
export class LimitKeys {
  readonly #leased: Query<[count: number]>;
  readonly #hold: Statement;
  readonly #next: Query<[n: number, lane: number, tenant: string]>;
  readonly #release: Statement;

  constructor(db: DatabaseSync) {
    this.#leased = query(db, 'SELECT count(*) FROM jobs WHERE leased_key = ?');
    this.#hold = statement(
      db,
      'UPDATE jobs SET ready_lane = NULL, held_key = limit_key WHERE n = ?',
    );
    this.#next = query(
      db,
      `SELECT n, lane, tenant FROM jobs WHERE held_key = ? AND (lane, tenant) > (?, ?)
       ORDER BY lane, tenant, priority DESC, submitted_at, id LIMIT 1`,
    );
    this.#release = statement(db, 'UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?');
  }

  /** How many jobs with this key are leased, expired leases included. */
  leased(key: string): number {
    return this.#leased.get(key)?.[0] ?? 0;
  }

  hold(n: number): void {
    this.#hold.run(n);
  }

  /** Lets the next job of every lane and tenant go. Answers whether there was any. */
  release(key: string): boolean {
    let found = this.#next.get(key, -1, '');
    const some = found !== undefined;
    while (found !== undefined) {
      const [n, lane, tenant] = found;
      this.#release.run(n);
      found = this.#next.get(key, lane, tenant);
    }
    return some;
  }
}
