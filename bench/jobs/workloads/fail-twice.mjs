import {
  bullmq,
  changed,
  graphile,
  pgBoss,
  rawSqliteBatches,
  redrivePostgres,
  redriveSqlite,
} from '../lane-specs.mjs';
import { compareRates, fastestOf, measureRates, rateFigures } from '../measure/rates.mjs';

const lanes = [
  redriveSqlite,
  redrivePostgres,
  changed(graphile, {
    label: 'graphile-worker, waits taken out',
    options: { noWait: true, worker: { pollInterval: 10 } },
  }),
  changed(pgBoss, { quick: false, options: { analyze: true } }),
  changed(bullmq, { quick: false }),
  rawSqliteBatches,
];

export const title = 'Fail twice, then succeed';
export const about = `16 at once; every job fails twice and is tried again without a wait, each failure being
recorded. graphile-worker always waits, at least ten seconds for two failures: its waits are taken out of its
statement here, and the table's statistics left as they were while it was empty, under which it is eight times
as fast as with fresh ones. plainjob does not retry.`;

export async function measure({ services, effort, quick }) {
  const params = { concurrency: 16, failures: 2 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'process', lanes, params, sizes, quick });
  const best = fastestOf(rates, ['graphile-worker', 'pg-boss', 'bullmq']);
  return {
    figures: rateFigures(rates),
    results: [
      ...compareRates(rates, 'redrive-postgres', best, { ratioAtLeast: 5 }),
      ...compareRates(rates, 'redrive-sqlite', best, { ratioAtLeast: 10 }),
      ...compareRates(rates, 'redrive-sqlite', 'raw-sqlite-batches'),
    ],
  };
}
