// Writes orders and their jobs in transactions of each library, and prints what the database then holds.
import { jobsOn } from '@redrive/durable';
import { enqueueIn, onceIn, openStore } from '@redrive/postgres';
import pg from 'pg';
import { openOnPg, openOnPostgresJs } from './drizzle.ts';
import { open as openKnex } from './knex.ts';
import { open as openKysely } from './kysely.ts';
import type { Library, Transaction } from './library.ts';
import { open as openPgClient } from './pg.ts';
import { open as openPostgresJs } from './postgres-js.ts';
import { open as openPrisma } from './prisma.ts';
import { open as openSequelize } from './sequelize.ts';
import { open as openTypeOrm } from './typeorm.ts';

const LIBRARIES: Readonly<Record<string, (url: string) => Library | Promise<Library>>> = {
  pg: openPgClient,
  'Drizzle on node-postgres': openOnPg,
  'Drizzle on postgres.js': openOnPostgresJs,
  Kysely: openKysely,
  Prisma: openPrisma,
  Knex: openKnex,
  TypeORM: openTypeOrm,
  Sequelize: openSequelize,
  'postgres.js': openPostgresJs,
};

const url = process.env.DATABASE_URL ?? '';
const pool = new pg.Pool({ connectionString: url });
const store = await openStore({ pool });
await store.migrate();
const jobs = jobsOn(store, { mail: async (order: string) => `mail for ${order}` });
await pool.query('create table orders (id text primary key)');

const insert = (tx: Transaction, id: string) => tx.run(`insert into orders values ('${id}')`);
const failed = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error('It should have failed.');
};

/** Each case gets the id of its order, which is the unique key of its job, and says what should exist afterwards. */
const CASES: Readonly<
  Record<string, (library: Library, id: string) => Promise<{ order: number; jobs: number }>>
> = {
  async commit(library, id) {
    await library.transaction(async (tx) => {
      await insert(tx, id);
      await enqueueIn(tx.sql, jobs.prepare('mail', id, { uniqueKey: id }));
    });
    return { order: 1, jobs: 1 };
  },
  async 'roll back'(library, id) {
    const both = library.transaction(async (tx) => {
      await enqueueIn(tx.sql, jobs.prepare('mail', id, { uniqueKey: id }));
      await insert(tx, id);
      throw new Error('the user changed their mind');
    });
    await failed(both);
    return { order: 0, jobs: 0 };
  },
  async conflict(library, id) {
    await jobs.enqueue('mail', id, { uniqueKey: id });
    await library.transaction(async (tx) => {
      const command = jobs.prepare('mail', id, { uniqueKey: id, onConflict: 'refuse' });
      const result = await enqueueIn(tx.sql, command);
      if (result.ok || result.refusal !== 'unique_conflict') throw new Error('No conflict.');
      await insert(tx, id);
    });
    return { order: 1, jobs: 1 };
  },
  async savepoint(library, id) {
    await library.transaction(async (tx) => {
      await insert(tx, id);
      const inner = tx.savepoint(async (nested) => {
        await enqueueIn(nested.sql, jobs.prepare('mail', id, { uniqueKey: id }));
        throw new Error('the mail is not wanted');
      });
      await failed(inner);
      await tx.savepoint(async (nested) => {
        await enqueueIn(nested.sql, jobs.prepare('mail', id, { uniqueKey: id }));
      });
    });
    return { order: 1, jobs: 1 };
  },
  async onceIn(library, id) {
    const write = (tx: Transaction, fail: boolean) =>
      onceIn(tx.sql, { key: id }, async () => {
        await insert(tx, id);
        await enqueueIn(tx.sql, jobs.prepare('mail', id, { uniqueKey: id }));
        if (fail) throw new Error('the first run fails');
        return true;
      });
    await library.transaction(async (tx) => {
      await failed(write(tx, true));
      await write(tx, false);
    });
    await library.transaction(async (tx) => {
      await write(tx, false); // It is done: nothing runs.
    });
    return { order: 1, jobs: 1 };
  },
  async 'no transaction'(library, id) {
    const refusal = await enqueueIn(
      library.outside,
      jobs.prepare('mail', id, { uniqueKey: id }),
    ).then(
      () => 'none',
      ({ code }) => code,
    );
    if (refusal !== 'not_in_transaction') throw new Error(`It was not refused: ${refusal}`);
    return { order: 0, jobs: 0 };
  },
};

async function stored(id: string): Promise<string> {
  const orders = await pool.query('select 1 from orders where id = $1', [id]);
  const mails = await pool.query('select 1 from redrive.jobs where unique_key = $1', [id]);
  return JSON.stringify({ order: orders.rowCount, jobs: mails.rowCount });
}

let wrong = 0;
for (const [name, open] of Object.entries(LIBRARIES)) {
  const library = await open(url);
  const cells: string[] = [];
  for (const [title, run] of Object.entries(CASES)) {
    const id = `${name}: ${title}`;
    try {
      const expected = JSON.stringify(await run(library, id));
      const found = await stored(id);
      cells.push(found === expected ? title : `${title} WRONG: ${found}, not ${expected}`);
    } catch (error) {
      cells.push(`${title} FAILED: ${String(error)}`);
    }
    if (cells.at(-1) !== title) wrong += 1;
  }
  console.log(`${name}: ${cells.join(', ')}`);
  await library.close();
}
await store.close();
await pool.end();
process.exitCode = wrong === 0 ? 0 : 1;
