// Who is measured: the program that does a waiting job, what it imports, and what it keeps its jobs in.
export const contenders = [
  {
    id: 'redrive-postgres',
    label: 'Redrive on Postgres',
    imports: ['@redrive/durable', '@redrive/postgres'],
    needs: 'postgres',
    isOurs: true,
  },
  {
    id: 'redrive-sqlite',
    label: 'Redrive on SQLite',
    imports: ['@redrive/durable', '@redrive/sqlite'],
    needs: 'file',
    isOurs: true,
  },
  {
    id: 'graphile-worker',
    label: 'graphile-worker',
    imports: ['graphile-worker'],
    needs: 'postgres',
  },
  { id: 'pg-boss', label: 'pg-boss', imports: ['pg-boss'], needs: 'postgres' },
  { id: 'plainjob', label: 'plainjob on SQLite', imports: ['plainjob'], needs: 'file' },
  { id: 'bullmq', label: 'BullMQ on Redis', imports: ['bullmq'], needs: 'redis' },
];

/** Ours, the peer that it is compared with, and what is promised. */
export const comparisons = [
  {
    id: 'redrive-postgres',
    against: 'graphile-worker',
    start: { ratioAtMost: 1.5 },
    rss: { ratioAtMost: 1.1 },
  },
  { id: 'redrive-postgres', against: 'pg-boss' },
  { id: 'redrive-postgres', against: 'bullmq' },
  { id: 'redrive-sqlite', against: 'graphile-worker', rss: { ratioAtMost: 1.1 } },
  { id: 'redrive-sqlite', against: 'plainjob', start: { ratioAtMost: 2 } },
];
