import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  ensureBinary,
  startPostgres,
  startRedis,
} from '../../../packages/testkit/src/services/index.ts';

const pgbenchSpec = {
  name: 'pgbench',
  aptPackage: 'postgresql',
  paths: [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
};

/**
 * The servers of a run, started when somebody first needs them: Postgres and Redis at full durability, each
 * private to this run, and directories for SQLite on the same disk.
 */
export async function openServices() {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  await chmod(folder, 0o755);
  let postgres;
  let redis;
  let places = 0;

  const admin = async (statement) => {
    postgres ??= startPostgres({ settings: { max_connections: '300' } });
    const client = new pg.Client({ connectionString: (await postgres).url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };

  return {
    /** Room for one lane that shares nothing with others: a directory, and a database where it needs one. */
    async place(needs = []) {
      const name = `lane_${++places}`;
      const place = { dir: await mkdtemp(join(folder, `${name}-`)) };
      if (needs.includes('postgres')) {
        await admin(`CREATE DATABASE ${name}`);
        const url = new URL((await postgres).url);
        url.pathname = `/${name}`;
        place.postgres = url.href;
      }
      if (needs.includes('redis')) {
        redis ??= startRedis();
        place.redis = (await redis).url;
      }
      if (needs.includes('pgbench')) place.pgbench = await ensureBinary(pgbenchSpec);
      return place;
    },
    admin,
    postgres: () => postgres,
    /** So that nobody pays for pages that somebody else made dirty. */
    async calm() {
      if (postgres) await admin('CHECKPOINT');
    },
    async versions() {
      const found = {};
      if (postgres) [{ server_version: found.postgres }] = await admin('SHOW server_version');
      return found;
    },
    async close() {
      await Promise.all([postgres, redis].map(async (service) => (await service)?.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
