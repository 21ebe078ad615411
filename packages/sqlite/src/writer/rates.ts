import type { DatabaseSync } from 'node:sqlite';
import {
  type ClaimRate,
  countsLanes,
  type NamedRate,
  RateRooms,
  rateOfName,
  rateRoom,
  type UsedRate,
} from '@redrive/durable/store';
import { ManyRows } from '../database/many-rows.ts';
import { LIMIT, type Query, query, type Statement, statement } from '../database/statement.ts';

/** See `Rates`. */
export const RATES = `
  CREATE TABLE rates (
    -- The name of the rate and the value that is counted.
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The handler whose jobs it counts. Absent: those of a queue.
    handler TEXT,
    -- When the burst is free again, in microseconds.
    full_us INTEGER NOT NULL,
    -- Since when jobs wait for it.
    since INTEGER,
    -- When a claim looks at it again.
    look_at INTEGER NOT NULL,
    -- Whether jobs are out of the index because of it.
    holds INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rates_look ON rates (name, look_at) WHERE holds;
  CREATE INDEX rates_idle ON rates (look_at);
`;

/** Rows that one claim looks at, of each rate: a bound on its cost if there are many keys. */
const ROWS_AT_ONCE = 256;
/** Jobs of one lane that one look puts back. */
const JOBS_AT_ONCE = 256;
/** Between two looks at a key: a job that was put back and not claimed needs no other one beside it. */
const MIN_LOOK_MS = 50;
/** No claim has looked for so long: no worker has the rate any more, or none has room. */
const FORGOTTEN_MS = 10_000;

type Row = [key: string, name: string, fullUs: number, holds: number];

/**
 * What was used of rates. A rate that all jobs of a lane share closes the lane. A job above the rate of its tenant or key
 * is taken out of the index of ready jobs, like one whose limit key is used up (`held_key`), so that no claim meets it
 * again; when the rate lets jobs start, the next claim puts as many back. A job that was put back too early is taken out
 * again by the claim that finds it.
 */
export class Rates {
  readonly #used: Query<[fullUs: number, since: number | null, holds: number]>;
  readonly #keep: ManyRows;
  readonly #hold: Statement;
  readonly #lookAgain: Statement;
  readonly #forget: Statement;
  readonly #due: Query<Row>;
  readonly #ahead: Query<Row>;
  readonly #idle: Query<Row>;
  readonly #next: Query<[lookAt: number]>;
  readonly #laneBehind: Query<[lane: number]>;
  readonly #heads: Query<[n: number]>;
  readonly #release: Statement;
  /** The keys of this claim that hold jobs, with since when. */
  readonly #holding = new Map<string, number | null>();

  constructor(db: DatabaseSync) {
    this.#used = query(db, 'SELECT full_us, since, holds FROM rates WHERE key = ?');
    this.#keep = new ManyRows(db, {
      sizes: [50, 10, 1],
      row: '(?, ?, ?, ?, ?, ?, ?)',
      own: 7,
      sql: (rows) =>
        `INSERT INTO rates (key, name, handler, full_us, since, look_at, holds) VALUES ${rows}
         ON CONFLICT DO UPDATE SET full_us = excluded.full_us, since = excluded.since,
           look_at = excluded.look_at, holds = excluded.holds`,
    });
    this.#hold = statement(db, 'UPDATE jobs SET ready_lane = NULL, held_key = ? WHERE n = ?');
    this.#lookAgain = statement(db, 'UPDATE rates SET look_at = ?, holds = ? WHERE key = ?');
    this.#forget = statement(db, 'DELETE FROM rates WHERE key = ?');
    const some = 'SELECT key, name, full_us, holds FROM rates';
    const order = `ORDER BY look_at ${LIMIT}`;
    this.#due = query(db, `${some} WHERE holds AND name = ? AND look_at <= ? ${order}`);
    this.#ahead = query(db, `${some} WHERE holds AND name = ? AND look_at > ? ${order}`);
    this.#idle = query(db, `${some} WHERE look_at < ? ${order}`);
    this.#next = query(db, `SELECT look_at FROM rates WHERE holds AND name = ? ${order}`);
    this.#laneBehind = query(
      db,
      'SELECT lane FROM jobs WHERE held_key = ? AND lane > ? ORDER BY lane LIMIT 1',
    );
    this.#heads = query(
      db,
      `SELECT n FROM jobs INDEXED BY jobs_held_turn WHERE held_key = ? AND lane = ?
       ORDER BY priority DESC, tenant, submitted_at, id ${LIMIT}`,
    );
    this.#release = statement(db, 'UPDATE jobs SET ready_lane = lane, held_key = NULL WHERE n = ?');
  }

  /** What is left of the rates of a claim, after it has put back the jobs that may start by now. */
  rooms(rates: readonly ClaimRate[], nowMs: number): RateRooms {
    this.#tidy(nowMs);
    this.#holding.clear();
    for (const rate of rates) {
      if (countsLanes(rate)) continue;
      // Written before the clock was set back.
      const ahead = this.#ahead.all(rate.name, nowMs + rate.perMs, ROWS_AT_ONCE);
      for (const row of [...this.#due.all(rate.name, nowMs, ROWS_AT_ONCE), ...ahead]) {
        const room = rateRoom(row[2], rate, nowMs * 1_000);
        this.#putBack(row, room, nowMs + Math.min(MIN_LOOK_MS, rate.perMs));
      }
    }
    return new RateRooms(rates, (name, value) => this.#usedOf(name, value), nowMs);
  }

  /** Takes a job out of the index. */
  hold(n: number, name: string, value: string): void {
    this.#hold.run(keyOf(name, value), n);
  }

  /** Writes what a claim has used. Returns when the first job may start that a rate keeps back; `Infinity`: none does. */
  keep(rates: readonly ClaimRate[], rooms: RateRooms): number {
    let firstMs = Infinity;
    const rows: (string | number | null)[] = [];
    for (const { rate, value, fullUs, sinceMs = null, refused, nextMs } of rooms.changes()) {
      const { name, handler = null } = rate;
      const key = keyOf(name, value);
      const stored = this.#holding.get(key);
      const holds = stored !== undefined || (refused && !countsLanes(rate));
      const lookAt = holds ? nextMs : Math.ceil(fullUs / 1_000);
      rows.push(key, name, handler, fullUs, sinceMs ?? stored ?? null, lookAt, holds ? 1 : 0);
      if (refused) firstMs = Math.min(firstMs, nextMs);
    }
    this.#keep.run([], rows);
    for (const rate of rates) {
      if (countsLanes(rate)) continue;
      firstMs = Math.min(firstMs, this.#next.get(rate.name, 1)?.[0] ?? Infinity);
    }
    return firstMs;
  }

  #usedOf(name: string, value: string): UsedRate | undefined {
    const key = keyOf(name, value);
    const found = this.#used.get(key);
    if (found === undefined) return undefined;
    const [fullUs, since, holds] = found;
    if (holds === 1) this.#holding.set(key, since);
    return { fullUs, sinceMs: since ?? undefined };
  }

  /** Forgets rates whose burst is free again. Jobs that a rate keeps back which no claim names any more go on without it. */
  #tidy(nowMs: number): void {
    for (const row of this.#idle.all(nowMs - FORGOTTEN_MS, ROWS_AT_ONCE)) {
      const [key, , , holds] = row;
      if (holds === 0) this.#forget.run(key);
      else this.#putBack(row, JOBS_AT_ONCE, nowMs - FORGOTTEN_MS);
    }
  }

  #putBack([key]: Row, count: number, lookAtMs: number): void {
    let lane = this.#laneBehind.get(key, -1)?.[0];
    let left = 0;
    for (; lane !== undefined; lane = this.#laneBehind.get(key, lane)?.[0]) {
      const heads = this.#heads.all(key, lane, Math.min(count, JOBS_AT_ONCE) + 1);
      for (const [n] of heads.slice(0, Math.min(count, JOBS_AT_ONCE))) this.#release.run(n);
      left = Math.max(left, heads.length - Math.min(count, JOBS_AT_ONCE));
    }
    this.#lookAgain.run(lookAtMs, left > 0 ? 1 : 0, key);
  }
}

function keyOf(name: string, value: string): string {
  return `${name}\u0001${value}`;
}

/** The rate and value of a `held_key`. `undefined`: it is a limit key. */
export function heldRate(key: string): (NamedRate & { readonly value: string }) | undefined {
  const at = key.indexOf('\u0001');
  const rate = at < 0 ? undefined : rateOfName(key.slice(0, at));
  return rate && { ...rate, value: key.slice(at + 1) };
}
