import {
  bullmq,
  changed,
  graphile,
  pgBoss,
  rawPostgres,
  redrivePostgres,
  withoutAudit,
} from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

// Statistics of the full table help everybody's claim here.
const analyzed = { options: { analyze: true } };

const lanes = [
  redrivePostgres,
  withoutAudit(redrivePostgres),
  changed(graphile, { ...analyzed, label: 'graphile-worker, local queue 500' }),
  changed(pgBoss, { ...analyzed, label: 'pg-boss, batches of 500 by four', quick: false }),
  changed(rawPostgres, { ...analyzed, label: 'raw node-pg claiming 100 by four' }),
  changed(bullmq, { quick: false }),
];

export const title = 'Postgres: process, 16 at once';
export const about = `A worker starts on a backlog; handlers do nothing. From the start until the last
completion is in the database.`;

export async function measure({ services, effort, quick }) {
  const params = { concurrency: 16 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'process', lanes, params, sizes, quick });
  const against = (id, goal) => compareRates(rates, 'redrive-postgres', id, goal);
  return {
    figures: rateFigures(rates),
    results: [
      ...against('graphile-worker', { ratioAtLeast: 1.1 }),
      ...against('pg-boss'),
      ...against('raw-postgres'),
      ...against('redrive-postgres-no-audit'),
    ],
  };
}
