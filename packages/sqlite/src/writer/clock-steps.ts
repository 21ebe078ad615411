import type { DatabaseSync } from 'node:sqlite';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { Step } from './step.ts';

/**
 * The numbers of jobs are in the order of their submission times, so that lists need no index of the times; between two
 * steps of the clock, that is: a step is the number of a job that was submitted at an earlier time than the job before it.
 */
export const CLOCK_STEPS = `
  CREATE TABLE clock_steps (n INTEGER PRIMARY KEY) STRICT;
`;

/** Notes where the clock was set back. */
export class ClockSteps {
  readonly #last: Query<[n: number, submittedAt: number]>;
  readonly #add: Statement;
  #checked: Step | undefined;

  constructor(db: DatabaseSync) {
    this.#last = query(db, 'SELECT n, submitted_at FROM jobs ORDER BY n DESC LIMIT 1');
    this.#add = statement(db, 'INSERT INTO clock_steps (n) VALUES (?) ON CONFLICT DO NOTHING');
  }

  /** Jobs will be inserted. All jobs of a transaction have the same time, so that it is checked once. */
  check(step: Step): void {
    if (step === this.#checked) return;
    this.#checked = step;
    const [n, submittedAt] = this.#last.get() ?? [0, -Infinity];
    if (submittedAt > step.nowMs) this.#add.run(n + 1);
  }
}
