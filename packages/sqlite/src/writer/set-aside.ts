import type { DatabaseSync } from 'node:sqlite';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { rowProblem } from '../job/job-row.ts';
import { LEASED, PARKED, READY, SUCCEEDED } from '../job/states.ts';
import type { Step } from './step.ts';

type Texts = [
  n: number,
  spec: string | null,
  life: string | null,
  attempts: string | null,
  lease: string | null,
];

/**
 * A row is set aside by taking it out of the indexes that claims, ticks, rescue and retention use. Its state and its
 * content stay. The audit note has the old values of the index columns. (`due_at` stays: promotion reads no content.)
 */
const OUT_OF = [
  'ready_lane',
  'release_at',
  'expires_at',
  'lease_until',
  'leased_key',
  'held_key',
  'finished_as',
];

/** Whether a row is set aside. */
export const IS_SET_ASIDE = `CASE j.state
  WHEN ${READY} THEN j.ready_lane IS NULL AND j.held_key IS NULL
  WHEN ${PARKED} THEN j.release_at IS NULL
  WHEN ${LEASED} THEN j.lease_until IS NULL
  ELSE j.state >= ${SUCCEEDED} AND j.finished_as IS NULL END`;

export class SetAside {
  readonly #texts: Query<Texts>;
  readonly #aside: Query<Texts>;
  readonly #was: Query<[columns: string]>;
  readonly #takeOut: Statement;
  readonly #putBack: Statement;

  constructor(db: DatabaseSync) {
    const texts = 'SELECT n, spec, life, attempts, lease FROM jobs j WHERE id = ?';
    this.#texts = query(db, texts);
    this.#aside = query(db, `${texts} AND ${IS_SET_ASIDE}`);
    const named = OUT_OF.map((column) => `'${column}', ${column}`).join(', ');
    this.#was = query(db, `SELECT json_object(${named}) FROM jobs WHERE n = ?`);
    const nulls = OUT_OF.map((column) => `${column} = NULL`).join(', ');
    this.#takeOut = statement(db, `UPDATE jobs SET ${nulls} WHERE n = ?`);
    // A leased or parked row is put back as expired, so that rescue and tick decide about it.
    this.#putBack = statement(
      db,
      `UPDATE jobs SET
         ready_lane = CASE WHEN state = ${READY} THEN lane END,
         release_at = CASE WHEN state = ${PARKED} THEN ?1 END,
         expires_at = CASE WHEN state < ${LEASED} THEN deadline_at END,
         lease_until = CASE WHEN state = ${LEASED} THEN ?1 END,
         leased_key = CASE WHEN state = ${LEASED} THEN limit_key END,
         finished_as = CASE WHEN state >= ${SUCCEEDED} THEN state END
       WHERE n = ?2`,
    );
  }

  /** Takes a row out of the indexes. */
  row(step: Step, n: number, id: string, problem: string): void {
    const [was = '{}'] = this.#was.get(n) ?? [];
    this.#takeOut.run(n);
    step.note('set_aside', id, `{"by":"store","problem":${JSON.stringify(problem)},"was":${was}}`);
    step.setAside.push({ id, problem });
  }

  /** Takes the row of this id out of the indexes, if it cannot be read. */
  byId(step: Step, id: string): void {
    const [n, spec = null, life = null, attempts = null, lease = null] = this.#texts.get(id) ?? [];
    if (n === undefined) return;
    const problem = rowProblem({ spec, life, attempts, lease });
    if (problem !== undefined) this.row(step, n, id, problem);
  }

  /** Puts a row back. Returns whether it was set aside and can be read again. */
  putBack(step: Step, id: string): boolean {
    const [n, spec = null, life = null, attempts = null, lease = null] = this.#aside.get(id) ?? [];
    if (n === undefined || rowProblem({ spec, life, attempts, lease }) !== undefined) return false;
    this.#putBack.run(step.nowMs, n);
    step.note('put_back', id, '{"by":"store"}');
    step.madeReady = true;
    return true;
  }
}
