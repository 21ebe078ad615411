import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openStore as openPostgres } from '../../packages/postgres/dist/index.js';
import { openStore as openSqlite } from '../../packages/sqlite/dist/index.js';
import { startPostgres } from '../../packages/testkit/src/services/index.ts';

/** Empty stores, each of its own: files on the same disk, and databases of one private Postgres with its defaults. */
export async function openPlaces() {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  let server;
  let count = 0;
  const migrated = async (store) => {
    await store.migrate();
    return store;
  };
  return {
    stores: {
      SQLite: async () => migrated(await openSqlite(`sqlite:${join(folder, `${++count}.db`)}`)),
      Postgres: async () => {
        server ??= startPostgres();
        const url = new URL((await server).url);
        const client = new pg.Client({ connectionString: url.href });
        await client.connect();
        const name = `events_${++count}`;
        await client.query(`CREATE DATABASE ${name}`);
        await client.end();
        url.pathname = `/${name}`;
        return migrated(await openPostgres(url.href));
      },
    },
    async close() {
      await (await server)?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
