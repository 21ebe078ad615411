import type { DatabaseSync } from 'node:sqlite';
import type { PauseResult } from '@redrive/durable/store';
import type { EncodedPause } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { Step } from './step.ts';

/** Queues and handlers of which nothing is claimed. */
export class Pauses {
  readonly #all: Query<[scope: string, name: string]>;
  readonly #insert: Statement;
  readonly #delete: Statement;
  #known: ReadonlySet<string> | undefined;

  constructor(db: DatabaseSync) {
    this.#all = query(db, 'SELECT scope, name FROM pauses');
    this.#insert = statement(
      db,
      `INSERT INTO pauses (scope, name, since, paused_by, why) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#delete = statement(db, 'DELETE FROM pauses WHERE scope = ? AND name = ?');
  }

  /** Whether nothing of this queue and handler may be claimed. */
  cover(queue: string, handler: string): boolean {
    this.#known ??= new Set(this.#all.all().map(([scope, name]) => keyOf(scope, name)));
    if (this.#known.size === 0) return false;
    return this.#known.has(keyOf('queue', queue)) || this.#known.has(keyOf('handler', handler));
  }

  change(step: Step, [kind, scope, name, by, why, detail]: EncodedPause): PauseResult {
    const changed =
      kind === 'pause'
        ? this.#insert.run(scope, name, step.nowMs, by, why)
        : this.#delete.run(scope, name);
    if (Number(changed.changes) === 0) return { ok: true, changed: false };
    this.refresh();
    step.note(kind, `${scope}:${name}`, detail);
    if (kind === 'resume') step.madeReady = true;
    return { ok: true, changed: true };
  }

  /** Somebody may have changed them. */
  refresh(): void {
    this.#known = undefined;
  }
}

function keyOf(scope: string, name: string): string {
  return `${scope}:${name}`;
}
