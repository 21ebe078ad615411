import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import { type ActResult, type JobEvent, MAX_EARLIER_PAYLOADS } from '@redrive/durable/store';
import type { EncodedAct } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
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
    const [, act, id, , , detail, generation, payload, by, group] = command;
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
    const event = eventOf(command, step.nowMs);
    const result = this.#changes.apply(step, id, event, as, other, group);
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

function eventOf(command: EncodedAct, nowMs: number): JobEvent {
  const [, act, , atMs, inMs, , , , , group] = command;
  switch (act) {
    case 'regroup':
      return { kind: act, fingerprint: group?.fingerprint ?? '' };
    case 'unpark':
      return { kind: act, byHand: true };
    case 'requeue':
      return { kind: act, deadlineMs: momentOf(atMs, inMs, nowMs) ?? undefined };
    default:
      return { kind: act };
  }
}

/** The payloads that edits have replaced: kept as long as the job, the newest ones. */
export class EarlierPayloads {
  readonly #insert: Statement;
  readonly #deleteOld: Statement;
  readonly #deleteAll: Statement;

  constructor(db: DatabaseSync) {
    this.#insert = statement(
      db,
      `INSERT INTO earlier_payloads (id, generation, replaced_at, replaced_by, payload)
       VALUES (?, ?, ?, ?, ?)`,
    );
    this.#deleteOld = statement(
      db,
      `DELETE FROM earlier_payloads WHERE id = ?1 AND generation NOT IN (
         SELECT generation FROM earlier_payloads WHERE id = ?1 ORDER BY generation DESC LIMIT ?2)`,
    );
    this.#deleteAll = statement(db, 'DELETE FROM earlier_payloads WHERE id = ?');
  }

  keep({ id, account, payload }: Job, nowMs: number, by: string): void {
    const value = payload.kind === 'json' ? payload.text : payload.bytes;
    this.#insert.run(id, account.generation, nowMs, by, value);
    this.#deleteOld.run(id, MAX_EARLIER_PAYLOADS);
  }

  /** The job goes. Only one that was requeued can have any. */
  remove(id: string, generation: number): void {
    if (generation > 1) this.#deleteAll.run(id);
  }
}
