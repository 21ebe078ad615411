import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, startRedis } from '../../packages/testkit/src/services/index.ts';

/** Empty places for jobs: databases of one private Postgres, files on the same disk, numbers of one private Redis. */
export async function openPlaces() {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const places = new Map();
  let count = 0;

  /** The tables stay from round to round, as in a program that starts again. */
  async function make({ needs }) {
    const name = `start_${++count}`;
    if (needs === 'file') return join(folder, `${name}.db`);
    if (needs === 'redis') return redis.url;
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  return {
    async place(contender) {
      const { id = '' } = contender;
      if (!places.has(id)) places.set(id, await make(contender));
      return places.get(id);
    },
    async close() {
      await client.end();
      await Promise.all([postgres.stop(), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
