import type { DatabaseSync } from 'node:sqlite';
import type { ActResult, JobEvent } from '@redrive/durable/store';
import type { EncodedAct } from '../command/encoded.ts';
import { type Query, query } from '../database/statement.ts';
import { momentOf } from './enqueue.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** Does what operators want. */
export class Act {
  readonly #holder: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    this.#holder = query(db, 'SELECT id FROM jobs WHERE unique_key = ?');
  }

  act(step: Step, command: EncodedAct): ActResult {
    const [, act, id, , , detail] = command;
    if (act === 'requeue' && this.#isKeyTaken(id)) {
      return { ok: false, refusal: 'unique_conflict' };
    }
    return this.#changes.happen(step, id, eventOf(command, step.nowMs), { event: act, detail });
  }

  /** Whether another unfinished job has its unique key by now. */
  #isKeyTaken(id: string): boolean {
    const uniqueKey = this.#changes.find(id)?.uniqueKey;
    const holder = uniqueKey === undefined ? undefined : this.#holder.get(uniqueKey)?.[0];
    return holder !== undefined && holder !== id;
  }
}

function eventOf([, act, , atMs, inMs]: EncodedAct, nowMs: number): JobEvent {
  switch (act) {
    case 'unpark':
      return { kind: act, byHand: true };
    case 'requeue':
      return { kind: act, deadlineMs: momentOf(atMs, inMs, nowMs) ?? undefined };
    default:
      return { kind: act };
  }
}
