// Who takes part, and how each is set up. `quick: false` is left out of quick runs.
import { fileURLToPath } from 'node:url';

const watchSqlite = fileURLToPath(new URL('./measure/watch-sqlite.mjs', import.meta.url));

export const redriveSqlite = {
  id: 'redrive-sqlite',
  label: 'Redrive on SQLite',
  contender: 'redrive-sqlite',
  store: 'sqlite',
  // Its connections are in threads: otherwise nobody could ask them how durable they are.
  nodeFlags: [`--import=${watchSqlite}`],
};

export const redrivePostgres = {
  id: 'redrive-postgres',
  label: 'Redrive on Postgres',
  contender: 'redrive-postgres',
  store: 'postgres',
};

/** The same without audit: a switch that only this benchmark has. */
export const withoutAudit = (lane) => ({
  ...lane,
  id: `${lane.id}-no-audit`,
  label: `${lane.label}, audit off`,
  options: { ...lane.options, audit: false },
});

/** With metrics on and scraped; traces off. */
export const withTelemetry = (lane) => ({
  ...lane,
  id: `${lane.id}-telemetry`,
  label: `${lane.label}, telemetry on`,
  options: { ...lane.options, telemetry: true },
});

export const plainjob = {
  id: 'plainjob',
  label: 'plainjob at FULL',
  contender: 'plainjob',
  store: 'sqlite',
};

export const rawSqlite = {
  id: 'raw-sqlite',
  label: 'raw SQLite, a commit each',
  contender: 'raw-sqlite',
  store: 'sqlite',
};

export const rawSqliteGathered = {
  id: 'raw-sqlite-gathered',
  label: 'raw SQLite, group commit',
  contender: 'raw-sqlite',
  store: 'sqlite',
  options: { gathered: true },
};

export const rawSqliteBatches = {
  id: 'raw-sqlite-batches',
  label: 'raw SQLite claiming 100',
  contender: 'raw-sqlite',
  store: 'sqlite',
  options: { batch: 100 },
};

export const bullmq = {
  id: 'bullmq',
  label: 'bullmq, AOF always',
  contender: 'bullmq',
  store: 'redis',
};

export const graphile = {
  id: 'graphile-worker',
  label: 'graphile-worker',
  contender: 'graphile-worker',
  store: 'postgres',
};

export const pgBoss = {
  id: 'pg-boss',
  label: 'pg-boss, notify',
  contender: 'pg-boss',
  store: 'postgres',
};

export const rawPostgres = {
  id: 'raw-postgres',
  label: 'raw node-pg',
  contender: 'raw-postgres',
  store: 'postgres',
};

export const pgbench = {
  id: 'pgbench',
  label: 'pgbench',
  contender: 'pgbench',
  store: 'postgres',
  needs: ['pgbench'],
};

export const changed = (lane, changes) => ({
  ...lane,
  ...changes,
  options: { ...lane.options, ...changes.options },
});
