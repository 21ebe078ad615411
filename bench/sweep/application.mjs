// The application: updates documents of its own one by one, and answers each message with the number of updates so far.
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { idOf, titleOf } from './documents.mjs';
import { openFile } from './sqlite.mjs';

const { kind, url, name, from, to, perSecond } = JSON.parse(process.argv[2]);
const callers = kind === 'sqlite' ? 1 : 4;
const updaters = { mongodb: onMongodb, postgres: onPostgres, sqlite: onSqlite };
const update = await updaters[kind]();
let updates = 0;

async function onMongodb() {
  const client = new MongoClient(url, { writeConcern: { w: 'majority' } });
  const collection = client.db().collection(name);
  return (_id, title) => collection.updateOne({ _id }, { $set: { title } });
}

async function onPostgres() {
  const pool = new pg.Pool({ connectionString: url, max: callers });
  const text = `update ${name} set title = $2 where _id = $1`;
  return (id, title) => pool.query({ name: 'update', text, values: [id, title] });
}

async function onSqlite() {
  const statement = openFile(url).prepare(`update ${name} set title = ?2 where _id = ?1`);
  return async (id, title) => statement.run(id, title);
}

const startedMs = performance.now();
async function caller() {
  for (;;) {
    const n = from + Math.floor(Math.random() * (to - from));
    // Another title each time: SQLite writes nothing where nothing changes.
    await update(idOf(n), `${titleOf(n)} ${updates}`);
    updates += 1;
    // A paced application waits for its next turn; the other one lets messages through.
    const aheadMs = perSecond ? (updates / perSecond) * 1_000 - (performance.now() - startedMs) : 0;
    if (aheadMs > 1) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    else if (updates % 16 === 0) await new Promise(setImmediate);
  }
}

process.on('message', () =>
  process.send({ updates, atMs: performance.timeOrigin + performance.now() }),
);
process.once('disconnect', () => process.exit());
for (let n = 0; n < callers; n++) void caller();
