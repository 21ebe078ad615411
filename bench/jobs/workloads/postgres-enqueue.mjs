import {
  changed,
  graphile,
  pgBoss,
  pgbench,
  rawPostgres,
  redrivePostgres,
  withoutAudit,
} from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

const lanes = [
  redrivePostgres,
  withoutAudit(redrivePostgres),
  graphile,
  changed(pgBoss, { quick: false, maxJobs: 3000 }),
  changed(rawPostgres, { label: 'raw node-pg, an insert each' }),
  changed(pgbench, { label: 'pgbench, 32 clients inserting' }),
];

export const title = 'Postgres: enqueue, 32 callers';
export const about = `Each of 32 callers waits until its job is committed before it brings the next one.
pgbench inserts rows of the same size, each in its own transaction, from 32 connections.`;

export async function measure({ services, effort, quick }) {
  const params = { callers: 32 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'enqueue', lanes, params, sizes, quick });
  const against = (id, goal) => compareRates(rates, 'redrive-postgres', id, goal);
  return {
    figures: rateFigures(rates),
    results: [
      ...against('graphile-worker', { ratioAtLeast: 20 }),
      ...against('pgbench', { ratioAtLeast: 1.5 }),
      ...against('redrive-postgres-no-audit'),
    ],
  };
}
