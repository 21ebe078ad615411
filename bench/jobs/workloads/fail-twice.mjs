import {
  bullmq,
  changed,
  graphile,
  pgBoss,
  rawSqliteBatches,
  redrivePostgres,
  redriveSqlite,
} from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

/** A job on its last attempt is never claimed ahead, because a crash would kill it unseen: that costs something. */
const onLastAttempt = (lane) =>
  changed(lane, {
    id: `${lane.id}-last`,
    label: `${lane.label}, the third is the last`,
    options: { maxAttempts: 3 },
    quick: false,
  });

const lanes = [
  redriveSqlite,
  redrivePostgres,
  onLastAttempt(redriveSqlite),
  onLastAttempt(redrivePostgres),
  changed(graphile, {
    label: 'graphile-worker, waits taken out',
    options: { noWait: true, worker: { pollInterval: 10 } },
  }),
  changed(pgBoss, { quick: false, maxJobs: 3000, options: { analyze: true } }),
  changed(bullmq, { quick: false, maxJobs: 3000 }),
  rawSqliteBatches,
];

export const title = 'Fail twice, then succeed';
export const about = `16 at once; every job may be tried eight times, fails twice and is tried again without a
wait, each failure being recorded. graphile-worker always waits, at least ten seconds for two failures: its waits are taken out of its
statement here, and the table's statistics left as they were while it was empty, under which it is eight times
as fast as with fresh ones. plainjob does not retry.`;

export async function measure({ services, effort, quick }) {
  const params = { concurrency: 16, failures: 2, attempts: 8 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'process', lanes, params, sizes, quick });
  return {
    figures: rateFigures(rates),
    results: [
      ...compareRates(rates, 'redrive-postgres', 'graphile-worker', { ratioAtLeast: 1.2 }),
      ...compareRates(rates, 'redrive-sqlite', 'graphile-worker'),
      ...compareRates(rates, 'redrive-sqlite', 'raw-sqlite-batches', { ratioAtLeast: 0.5 }),
    ],
  };
}
