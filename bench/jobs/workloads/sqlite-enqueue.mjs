import {
  bullmq,
  changed,
  plainjob,
  rawSqlite,
  rawSqliteGathered,
  redriveSqlite,
  withoutAudit,
} from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

const lanes = [
  redriveSqlite,
  withoutAudit(redriveSqlite),
  plainjob,
  rawSqlite,
  rawSqliteGathered,
  changed(bullmq, { quick: false }),
];

export const title = 'SQLite: enqueue, 32 callers';
export const about = `Each of 32 callers waits until its job is safe on disk before it brings the next one.
Raw group commit is 32 rows and one sync per transaction on the event loop's own thread: nothing that
keeps each caller's job apart can be faster.`;

export const measure = (run) => measureEnqueue(run, 32);

/** The same with so many callers at once. */
export async function measureEnqueue({ services, effort, quick }, callers) {
  const params = { callers };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'enqueue', lanes, params, sizes, quick });
  const against = (id, goal) => compareRates(rates, 'redrive-sqlite', id, goal);
  return {
    figures: rateFigures(rates),
    results: [
      ...against('raw-sqlite-gathered', { ratioAtLeast: 0.5 }),
      ...against('plainjob', { ratioAtLeast: 10 }),
      ...against('redrive-sqlite-no-audit'),
    ],
  };
}
