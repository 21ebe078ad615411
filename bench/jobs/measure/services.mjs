import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
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
  let counting;
  let redis;
  let places = 0;

  const admin = (statement) => {
    postgres ??= startPostgres({ settings: { max_connections: '300' } });
    return ask(postgres, statement);
  };
  /** A server that counts statements, which costs it something: for those who do nearly nothing. */
  const adminCounting = (statement) => {
    counting ??= startPostgres({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
    return ask(counting, statement);
  };
  const databaseOn = async (server, name) => {
    const url = new URL((await server).url);
    url.pathname = `/${name}`;
    return url.href;
  };

  return {
    /** Room for one lane that shares nothing with others: a directory, and a database where it needs one. */
    async place(needs = []) {
      const name = `lane_${++places}`;
      const place = { dir: await mkdtemp(join(folder, `${name}-`)) };
      if (needs.includes('postgres')) {
        await admin(`CREATE DATABASE ${name}`);
        place.postgres = await databaseOn(postgres, name);
      }
      if (needs.includes('counting')) {
        await adminCounting(`CREATE DATABASE ${name}`);
        place.postgres = await databaseOn(counting, name);
      }
      if (needs.includes('redis')) {
        redis ??= startRedis();
        place.redis = (await redis).url;
      }
      if (needs.includes('pgbench')) place.pgbench = await ensureBinary(pgbenchSpec);
      return place;
    },
    admin,
    adminCounting,
    countingUrl: async () => (await counting).url,
    /** So that nobody pays for pages that somebody else made dirty. */
    async calm() {
      if (postgres) await admin('CHECKPOINT');
    },
    /** After a lane's turn: its dead rows would otherwise be cleared away during another lane's. */
    async vacuum({ postgres: url }) {
      if (url) await ask({ url }, 'VACUUM');
    },
    /** Of what is not an npm package. */
    async versions() {
      const [{ server_version: postgresVersion }] = await admin('SHOW server_version');
      redis ??= startRedis();
      return {
        PostgreSQL: postgresVersion.split(' ')[0],
        Redis: await redisVersion((await redis).url),
        SQLite: process.versions.sqlite,
      };
    },
    async close() {
      await Promise.all(
        [postgres, counting, redis].map(async (service) => (await service)?.stop()),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(server, statement) {
  const client = new pg.Client({ connectionString: (await server).url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function redisVersion(url) {
  const redis = new Redis(url);
  try {
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
  } finally {
    redis.disconnect();
  }
}
