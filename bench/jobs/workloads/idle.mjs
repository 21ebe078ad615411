import {
  bullmq,
  changed,
  graphile,
  pgBoss,
  redrivePostgres,
  redriveSqlite,
} from '../lane-specs.mjs';
import { closeLanes, openLanes } from '../measure/lanes.mjs';

const counting = (lane) => changed(lane, { needs: ['counting'] });

const lanes = [
  redriveSqlite,
  counting(redrivePostgres),
  changed(counting(graphile), { quick: false }),
  changed(counting(pgBoss), { quick: false }),
  changed(bullmq, { quick: false }),
];

export const title = 'Idle';
export const about = `A worker with nothing to do for a minute, after it had some work: statements of all its
connections (Postgres counts them itself; on SQLite every call of a statement in every thread), and CPU of its process.`;

export async function measure({ services, effort: { seconds }, quick }) {
  await services.adminCounting('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const open = await openLanes(services, lanes, quick);
  const results = [];
  try {
    const counter = await services.countingUrl();
    const watched = await Promise.all(
      open.map(({ lane, place, needs }) => {
        const database = needs?.includes('counting') && new URL(place.postgres).pathname.slice(1);
        const counted = database ? { counter, database } : {};
        return lane.drive('idle', { seconds, concurrency: 16, ...counted });
      }),
    );
    for (const [index, { id, label }] of open.entries()) {
      const { cpuPercent, statementsPerSecond } = watched[index];
      const isOurs = id.startsWith('redrive');
      const common = { label, unit: '%' };
      if (statementsPerSecond !== undefined) {
        results.push({
          ...common,
          id: `${id}/statements`,
          measure: 'statements',
          value: statementsPerSecond,
          unit: 'statements/s',
          goal: isOurs ? { valueAtMost: 1 } : null,
        });
      }
      results.push({
        ...common,
        id: `${id}/cpu`,
        measure: 'CPU of its process',
        value: cpuPercent,
        goal: isOurs ? { valueAtMost: 0.5 } : null,
      });
    }
  } finally {
    await closeLanes(open);
  }
  return { results };
}
