import type { DatabaseSync } from 'node:sqlite';
import { type Query, query, type Statement, statement } from '../database/statement.ts';

/**
 * Jobs whose limit key is used up. A claim that meets one takes it out of the index of ready jobs, so that no later claim
 * meets it again, and the end of a lease brings back the next one.
 *
 * What holds: where a key has room for r more, at least the first r of its jobs, in every lane and for every tenant, are
 * in the index. So a claim that goes by the index alone misses nothing. More than those do no harm: a claim that meets
 * one in vain holds it back again.
 */
export class LimitKeys {
  readonly #leased: Query<[count: number]>;
  readonly #hold: Statement;
  readonly #noteKey: Statement;
  readonly #forgetKey: Statement;
  readonly #raised: Query<[key: string]>;
  readonly #next: Query<[n: number, lane: number, tenant: string]>;
  readonly #nextOf: Query<[n: number]>;
  readonly #release: Statement;

  constructor(db: DatabaseSync) {
    this.#leased = query(db, 'SELECT count(*) FROM jobs WHERE leased_key = ?');
    this.#hold = statement(
      db,
      'UPDATE jobs SET ready_lane = NULL, held_key = limit_key WHERE n = ?',
    );
    this.#noteKey = statement(
      db,
      `INSERT INTO held_keys (held_key, handler, held_under) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET held_under = excluded.held_under`,
    );
    this.#forgetKey = statement(
      db,
      `DELETE FROM held_keys WHERE held_key = ?1
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.held_key = ?1)`,
    );
    this.#raised = query(db, 'SELECT held_key FROM held_keys WHERE handler = ? AND held_under < ?');
    this.#next = query(
      db,
      `SELECT n, lane, tenant FROM jobs WHERE held_key = ? AND (lane, tenant) > (?, ?)
       ORDER BY lane, tenant, priority DESC, submitted_at, id LIMIT 1`,
    );
    this.#nextOf = query(
      db,
      `SELECT n FROM jobs WHERE held_key = ? AND lane = ? AND tenant = ?
       ORDER BY priority DESC, submitted_at, id LIMIT 1`,
    );
    this.#release = statement(db, 'UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?');
  }

  /** How many jobs with this key are leased, expired leases included. */
  leased(key: string): number {
    return this.#leased.get(key)?.[0] ?? 0;
  }

  /** Takes a job out that met so narrow a limit. */
  hold(n: number, key: string, handler: string, limit: number): void {
    this.#hold.run(n);
    this.#noteKey.run(key, handler, limit);
  }

  /** A lease of the key has ended: the next one of every lane and tenant may be claimed. */
  release(key: string): void {
    let found = this.#next.get(key, -1, '');
    if (found === undefined) return;
    while (found !== undefined) {
      const [n, lane, tenant] = found;
      this.#release.run(n);
      found = this.#next.get(key, lane, tenant);
    }
    this.#forgetKey.run(key);
  }

  /** The first one of this lane and tenant cannot be taken: the next one. Answers whether there is any. */
  releaseBehind(key: string, lane: number, tenant: string): boolean {
    const found = this.#nextOf.get(key, lane, tenant);
    if (found === undefined) return false;
    this.#release.run(found[0]);
    this.#forgetKey.run(key);
    return true;
  }

  /** A ready job has gone without having been claimed: others may have stood behind it, or it was held back itself. */
  leave(key: string): void {
    this.release(key);
    this.#forgetKey.run(key);
  }

  /** The limit of a handler is wider than it was when jobs were held back. */
  widen(handler: string, limit: number): void {
    for (const [key] of this.#raised.all(handler, limit)) {
      this.#noteKey.run(key, handler, limit);
      for (let room = limit - this.leased(key); room > 0; room -= 1) this.release(key);
    }
  }
}
