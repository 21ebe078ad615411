import type { DatabaseSync } from 'node:sqlite';
import { compareText } from '@redrive/durable/store';
import type { Stops } from '../control/stops.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';

/** Tenants of one lane that are considered when a lease ends: a bound on the cost if many tenants share a key. */
const TENANTS_AT_ONCE = 16;

/**
 * Jobs whose limit key has reached its limit. A claim that finds such a job takes it out of the index of ready jobs, so
 * that no later claim finds it again. When a lease of the key ends, the next job is put back.
 *
 * Invariant: if a key has room for r more jobs, every lane has at least r of the key's jobs in the index (or all, if there
 * are fewer): those of the highest priority, of the tenants whose turn it is. So claims need only the index. More jobs in
 * the index do no harm: a claim that finds one takes it out again. Jobs of a tenant that a kill switch stops are put back
 * in addition to the others, because no claim finds them until the switch is released.
 */
export class LimitKeys {
  readonly #leased: Query<[count: number]>;
  readonly #hold: Statement;
  readonly #noteKey: Statement;
  readonly #forgetKey: Statement;
  readonly #raised: Query<[key: string]>;
  readonly #any: Query<[one: number]>;
  readonly #all: Query<[key: string, limit: number]>;
  readonly #turn: Query<[tenant: string]>;
  readonly #setTurn: Statement;
  readonly #nextLane: Query<[lane: number]>;
  readonly #nextPriority: Query<[priority: number]>;
  readonly #firstTenant: Query<[n: number, tenant: string]>;
  readonly #nextTenant: Query<[n: number, tenant: string]>;
  readonly #nextOf: Query<[n: number]>;
  readonly #release: Statement;
  readonly #stops: Stops;

  constructor(db: DatabaseSync, stops: Stops) {
    this.#stops = stops;
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
    this.#any = query(db, 'SELECT 1 FROM held_keys LIMIT 1');
    this.#all = query(db, 'SELECT held_key, held_under FROM held_keys');
    this.#turn = query(db, 'SELECT turn FROM held_keys WHERE held_key = ?');
    this.#setTurn = statement(db, 'UPDATE held_keys SET turn = ? WHERE held_key = ?');
    this.#nextLane = query(
      db,
      'SELECT lane FROM jobs WHERE held_key = ? AND lane > ? ORDER BY lane LIMIT 1',
    );
    this.#nextPriority = query(
      db,
      `SELECT priority FROM jobs WHERE held_key = ? AND lane = ? AND priority < ?
       ORDER BY priority DESC LIMIT 1`,
    );
    const tenant = (condition: string): string =>
      `SELECT n, tenant FROM jobs INDEXED BY jobs_held_turn
       WHERE held_key = ? AND lane = ? AND priority = ? ${condition} ORDER BY tenant, submitted_at, id LIMIT 1`;
    this.#firstTenant = query(db, tenant(''));
    this.#nextTenant = query(db, tenant('AND tenant > ?'));
    this.#nextOf = query(
      db,
      `SELECT n FROM jobs WHERE held_key = ? AND lane = ? AND tenant = ?
       ORDER BY priority DESC, submitted_at, id LIMIT 1`,
    );
    this.#release = statement(db, 'UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?');
  }

  /** Number of leased jobs with this key, including expired leases. */
  leased(key: string): number {
    return this.#leased.get(key)?.[0] ?? 0;
  }

  /** Takes a job out of the index. `limit`: the limit that it has met. */
  hold(n: number, key: string, handler: string, limit: number): void {
    this.#hold.run(n);
    this.#noteKey.run(key, handler, limit);
  }

  /** A claim names this job by its id: the job may be out of the index. */
  bringBack(n: number): void {
    this.#release.run(n);
  }

  /** A lease of the key has ended, or the next job of the key is gone: puts the next jobs of every lane back. */
  release(key: string): void {
    const turn = this.#turn.get(key)?.[0];
    if (turn === undefined) return; // No job of the key is out of the index.
    let next: string | undefined;
    for (
      let lane = this.#laneBehind(key, -1);
      lane !== undefined;
      lane = this.#laneBehind(key, lane)
    ) {
      let left = TENANTS_AT_ONCE;
      for (const [n, tenant] of this.#inTurn(key, lane, turn)) {
        this.#release.run(n);
        if (this.#stops.coverTenant(tenant)) continue;
        next ??= tenant;
        left -= 1;
        if (left === 0) break;
      }
    }
    if (next !== undefined) this.#setTurn.run(next, key);
    this.#forgetKey.run(key);
  }

  #laneBehind(key: string, lane: number): number | undefined {
    return this.#nextLane.get(key, lane)?.[0];
  }

  /** The first job out of the index of every tenant of a lane, by priority, then in the order of turns after `turn`. */
  *#inTurn(key: string, lane: number, turn: string): Generator<[n: number, tenant: string]> {
    const below = (priority: number) => this.#nextPriority.get(key, lane, priority)?.[0];
    for (let top = below(Infinity); top !== undefined; top = below(top)) {
      const behind = (tenant: string) => this.#nextTenant.get(key, lane, top, tenant);
      for (let job = behind(turn); job !== undefined; job = behind(job[1])) yield job;
      for (
        let job = this.#firstTenant.get(key, lane, top);
        job !== undefined;
        job = behind(job[1])
      ) {
        if (compareText(job[1], turn) > 0) break;
        yield job;
      }
    }
  }

  /** The first job of this lane and tenant cannot be claimed: puts the next one back. Returns whether there is one. */
  releaseBehind(key: string, lane: number, tenant: string): boolean {
    const found = this.#nextOf.get(key, lane, tenant);
    if (found === undefined) return false;
    this.#release.run(found[0]);
    this.#forgetKey.run(key);
    return true;
  }

  /** Some handlers may have a higher limit now than when jobs were taken out of the index. */
  widen(limits: Iterable<readonly [handler: string, limit: number]>): void {
    if (this.#any.get() === undefined) return;
    for (const [handler, limit] of limits) {
      for (const [key] of this.#raised.all(handler, limit)) {
        this.#noteKey.run(key, handler, limit);
        this.#fill(key, limit);
      }
    }
  }

  /** Tenants were stopped: perhaps only their jobs are in the index. Costs a query per key with jobs out of the index. */
  refill(): void {
    for (const [key, limit] of this.#all.all()) this.#fill(key, limit);
  }

  #fill(key: string, limit: number): void {
    for (let room = limit - this.leased(key); room > 0; room -= 1) this.release(key);
  }
}
