// pgbench, Postgres' own benchmark: clients that insert one job each, as fast as the server commits.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { payloadOf } from '../drives/payload.mjs';
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';
import { rawSchema } from './raw-postgres-schema.mjs';

export async function open({ postgres, dir, pgbench }) {
  const pool = openPool(postgres, 1);
  await pool.query(rawSchema);
  const script = join(dir, 'insert.sql');
  await writeFile(
    script,
    `INSERT INTO raw_jobs (queue, priority, state, token, attempts, payload)
     VALUES ('default', 0, 'ready', 0, 0, '${JSON.stringify(payloadOf(1))}');\n`,
  );

  /** Takes the place of the common drive: pgbench has callers of its own. */
  async function enqueue({ jobs, callers }) {
    await pool.query('TRUNCATE raw_jobs');
    const each = Math.ceil(jobs / callers);
    const { stdout } = await promisify(execFile)(pgbench, [
      ...['--no-vacuum', '--protocol=prepared', `--file=${script}`],
      ...[`--client=${callers}`, '--jobs=2', `--transactions=${each}`, postgres],
    ]);
    const rate = Number(/tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1]);
    const { count } = (await pool.query('SELECT count(*)::int AS count FROM raw_jobs')).rows[0];
    if (count !== each * callers) throw new Error(`pgbench stored ${count} rows`);
    return { rate };
  }

  return {
    durability: () => postgresDurability(pool),
    drives: { enqueue },
    close: () => pool.end(),
  };
}
