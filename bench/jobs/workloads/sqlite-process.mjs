import {
  bullmq,
  changed,
  plainjob,
  rawSqliteBatches,
  redriveSqlite,
  withoutAudit,
} from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

const lanes = [
  redriveSqlite,
  withoutAudit(redriveSqlite),
  plainjob,
  rawSqliteBatches,
  changed(bullmq, { quick: false }),
];

export const title = 'SQLite: process, 16 at once';
export const about = `A worker starts on a backlog; handlers do nothing. From the start until the last
completion is in the database. Raw claims 100 in a transaction and completes 100 in another, fenced by a
token.`;

export async function measure({ services, effort, quick }) {
  const params = { concurrency: 16 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'process', lanes, params, sizes, quick });
  const against = (id, goal) => compareRates(rates, 'redrive-sqlite', id, goal);
  return {
    figures: rateFigures(rates),
    results: [
      ...against('plainjob', { ratioAtLeast: 18 }),
      ...against('raw-sqlite-batches', { ratioAtLeast: 0.6 }),
      ...against('redrive-sqlite-no-audit'),
    ],
  };
}
