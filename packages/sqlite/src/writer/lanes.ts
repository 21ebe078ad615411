import type { DatabaseSync } from 'node:sqlite';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { STATES } from '../job/states.ts';

/** A pair of queue and handler that jobs have used. Rows refer to it by number. */
export interface Lane {
  readonly lane: number;
  readonly queue: string;
  readonly handler: string;
}

const COUNTERS = STATES.map((state) => `${state} = ${state} + ?`).join(', ');

/** The lanes of a store, and the number of jobs of each in every state. Lanes are never deleted. */
export class Lanes {
  readonly #find: Query<[lane: number]>;
  readonly #insert: Query<[lane: number]>;
  readonly #behind: Query<[lane: number, queue: string, handler: string]>;
  readonly #addCounts: Statement;
  readonly #lanes = new Map<string, Map<string, number>>();
  readonly #perHandler = new Map<string, Lane[]>();
  /** The highest number in `#perHandler`. */
  #lastRead = 0;
  #isRead = false;
  /** The changes of the job counts in this transaction, per lane and state. */
  readonly #changes = new Map<number, number[]>();

  constructor(db: DatabaseSync) {
    this.#find = query(db, 'SELECT lane FROM lanes WHERE queue = ? AND handler = ?');
    this.#insert = query(db, 'INSERT INTO lanes (queue, handler) VALUES (?, ?) RETURNING lane');
    this.#behind = query(db, 'SELECT lane, queue, handler FROM lanes WHERE lane > ? ORDER BY lane');
    this.#addCounts = statement(db, `UPDATE lanes SET ${COUNTERS} WHERE lane = ?`);
  }

  /** The number of a lane; a new lane is inserted. */
  laneOf(queue: string, handler: string): number {
    let lanes = this.#lanes.get(queue);
    if (lanes === undefined) {
      lanes = new Map();
      this.#lanes.set(queue, lanes);
    }
    let lane = lanes.get(handler);
    if (lane === undefined) {
      lane = this.#find.get(queue, handler)?.[0] ?? this.#added(queue, handler);
      lanes.set(handler, lane);
    }
    return lane;
  }

  #added(queue: string, handler: string): number {
    this.#isRead = false;
    const lane = this.#insert.get(queue, handler)?.[0];
    if (lane === undefined) throw new Error('SQLite did not say which lane it has inserted.');
    return lane;
  }

  /** All lanes of a handler. */
  ofHandler(handler: string): readonly Lane[] {
    if (!this.#isRead) this.#readNew();
    return this.#perHandler.get(handler) ?? [];
  }

  #readNew(): void {
    for (const [lane, queue, handler] of this.#behind.all(this.#lastRead)) {
      const lanes = this.#perHandler.get(handler) ?? [];
      lanes.push({ lane, queue, handler });
      this.#perHandler.set(handler, lanes);
      this.#lastRead = lane;
    }
    this.#isRead = true;
  }

  /** A job of this lane changes its state. `null`: it is inserted into the store, or deleted. */
  count(lane: number, from: number | null, to: number | null): void {
    let changes = this.#changes.get(lane);
    if (changes === undefined) {
      changes = STATES.map(() => 0);
      this.#changes.set(lane, changes);
    }
    if (from !== null) changes[from] = (changes[from] ?? 0) - 1;
    if (to !== null) changes[to] = (changes[to] ?? 0) + 1;
  }

  /** Writes the counts, at the end of the transaction. */
  flush(): void {
    for (const [lane, changes] of this.#changes) this.#addCounts.run(...changes, lane);
    this.#changes.clear();
  }

  /** Other processes have written: there may be new lanes. */
  refresh(): void {
    this.#isRead = false;
  }

  /** The transaction was rolled back: the lanes that it inserted do not exist. */
  forget(): void {
    this.#lanes.clear();
    this.#perHandler.clear();
    this.#lastRead = 0;
    this.#isRead = false;
    this.#changes.clear();
  }
}
