import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import type { ActResult, JobEvent } from '@redrive/durable/store';
import type { EncodedAct } from '../command/encoded.ts';
import { type Query, query } from '../database/statement.ts';
import type { EarlierPayloads } from '../dead-letter/earlier-payloads.ts';
import { momentOf } from './enqueue.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** Carries out acts of operators on jobs. */
export class Act {
  readonly #holder: Query<[id: string]>;
  readonly #changes: JobChanges;
  readonly #earlier: EarlierPayloads;

  constructor(db: DatabaseSync, changes: JobChanges, earlier: EarlierPayloads) {
    this.#changes = changes;
    this.#earlier = earlier;
    this.#holder = query(db, 'SELECT id FROM jobs WHERE unique_key = ?');
  }

  act(step: Step, command: EncodedAct): ActResult {
    const [, act, id, , , detail, generation, payload, by] = command;
    const edit = act === 'requeue' ? payload : undefined;
    // Other acts read the job when they change it.
    const job = act === 'requeue' || generation !== undefined ? this.#changes.find(id) : undefined;
    if (job !== undefined && generation !== undefined && generation !== job.account.generation) {
      return { ok: false, refusal: 'changed' };
    }
    if (job !== undefined && act === 'requeue' && this.#isKeyTaken(job)) {
      return { ok: false, refusal: 'unique_conflict' };
    }
    const as = { event: act, detail };
    const other = edit === undefined ? undefined : { payload: edit };
    const result = this.#changes.happen(step, id, eventOf(command, step.nowMs), as, other);
    if (result.ok && job !== undefined && edit !== undefined) {
      this.#earlier.keep(job, step.nowMs, by);
    }
    return result;
  }

  /** Whether another unfinished job has its unique key by now. */
  #isKeyTaken({ id, uniqueKey }: Job): boolean {
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
