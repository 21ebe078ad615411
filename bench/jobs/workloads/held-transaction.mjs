import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { median, quantile } from '../../lib/statistics.mjs';
import { graphile, pgBoss, redrivePostgres, redriveSqlite } from '../lane-specs.mjs';
import { closeLanes, openLanes } from '../measure/lanes.mjs';

const own = [redriveSqlite, redrivePostgres];
const peers = [graphile, pgBoss];

export const title = "Somebody else's transaction is held open";
export const about = `A queue that is always a little ahead of its worker, 16 at once, first alone, then while
another connection holds a transaction and its snapshot open (on SQLite one that reads), so that dead rows cannot be
removed nor the log be written back, then alone again. Compared is the second half of the time in which it is held with
the time without.`;

export async function measure({ services, effort, quick }) {
  const { seconds, freeSeconds } = effort;
  const lanes = effort.peers === false ? own : [...own, ...peers];
  const open = await openLanes(services, lanes, quick);
  const seen = {};
  try {
    for (const { id, lane, place, store } of open) {
      const sustained = async (length) => {
        await services.calm();
        return (await lane.drive('sustained', { seconds: length, concurrency: 16 })).rates;
      };
      await sustained(2);
      const before = await sustained(freeSeconds);
      const release = await hold[store](place);
      const held = await sustained(seconds).finally(release);
      const after = await sustained(freeSeconds);
      seen[id] = { free: [...before, ...after], held: held.slice(Math.floor(held.length / 2)) };
    }
  } finally {
    await closeLanes(open);
  }
  return { results: open.map((lane) => resultOf(lane, seen[lane.id])) };
}

const hold = {
  async postgres(place) {
    const client = new pg.Client({ connectionString: place.postgres });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT txid_current()');
    return () => client.end();
  },
  async sqlite(place) {
    const database = new DatabaseSync(join(place.dir, 'redrive.db'), { readOnly: true });
    database.exec('BEGIN');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return async () => database.close();
  },
};

function resultOf({ id, label }, { free, held }) {
  const alone = median(free);
  const isOurs = id.startsWith('redrive');
  return {
    id,
    label,
    measure: 'rate with ÷ without',
    ratio: median(held) / alone,
    low: quantile(held, 0.25) / alone,
    high: quantile(held, 0.75) / alone,
    value: median(held),
    baseline: alone,
    unit: 'jobs/s',
    goal: isOurs ? { ratioAtLeast: 0.8 } : null,
  };
}
