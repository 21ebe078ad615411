import type { DatabaseSync } from 'node:sqlite';
import type { PauseResult } from '@redrive/durable/store';
import type { EncodedPause } from '../command/encoded.ts';
import type { Stops } from '../control/stops.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { Step } from './step.ts';

/** Paused queues and handlers: their jobs are not claimed. */
export class Pauses {
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #stops: Stops;

  constructor(db: DatabaseSync, stops: Stops) {
    this.#stops = stops;
    this.#insert = statement(
      db,
      `INSERT INTO pauses (scope, name, since, paused_by, why) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#delete = statement(db, 'DELETE FROM pauses WHERE scope = ? AND name = ?');
  }

  change(step: Step, [kind, scope, name, by, why, detail]: EncodedPause): PauseResult {
    const changed =
      kind === 'pause'
        ? this.#insert.run(scope, name, step.nowMs, by, why)
        : this.#delete.run(scope, name);
    if (Number(changed.changes) === 0) return { ok: true, changed: false };
    this.#stops.rise(step);
    step.note(kind, `${scope}:${name}`, detail);
    if (kind === 'resume') step.madeReady = true;
    return { ok: true, changed: true };
  }
}
