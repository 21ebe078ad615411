// What SQLite itself allows at FULL, without a queue around it: one row and two indexes per job,
// statements prepared once, no leases that expire, no retries, no audit, no thread in between.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteDurability } from './sqlite-durability.mjs';

const ready = 0;
const leased = 1;
const done = 2;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY, queue TEXT NOT NULL, priority INTEGER NOT NULL, state INTEGER NOT NULL,
    token INTEGER NOT NULL, attempts INTEGER NOT NULL, lease_until INTEGER, created_at INTEGER NOT NULL,
    payload TEXT NOT NULL
  );
  CREATE INDEX ready ON jobs (queue, priority, id) WHERE state = ${ready};
  CREATE INDEX leased ON jobs (lease_until) WHERE state = ${leased};`;

/** `gathered`: callers that come together commit together. `batch`: jobs per claim. */
export async function open({ dir, gathered = false, batch = 100 }) {
  const database = new DatabaseSync(join(dir, 'raw.db'));
  database.exec(schema);
  const statements = prepareAll(database);
  const insert = (payload) => statements.insert.run(Date.now(), JSON.stringify(payload));
  const transacted = (fn) => {
    statements.begin.run();
    const result = fn();
    statements.commit.run();
    return result;
  };
  const insertAll = (payloads) =>
    transacted(() => {
      for (const payload of payloads) insert(payload);
    });

  return {
    durability: () => sqliteDurability((text) => database.prepare(text).get()),
    reset: async () => database.exec('DELETE FROM jobs'),
    enqueue: gathered ? gatherer(insertAll) : async (payload) => insert(payload),
    fill: async (payloads) => insertAll(payloads),
    unfinished: async () => statements.unfinished.get().count,
    work: async ({ handler }) => {
      const work = { isStopped: false };
      const finished = claimLoop({ statements, transacted, batch, handler, work });
      return async () => {
        work.isStopped = true;
        await finished;
      };
    },
    close: async () => database.close(),
  };
}

function prepareAll(database) {
  const texts = {
    begin: 'BEGIN IMMEDIATE',
    commit: 'COMMIT',
    insert: `INSERT INTO jobs (queue, priority, state, token, attempts, created_at, payload)
             VALUES ('default', 0, ${ready}, 0, 0, ?, ?)`,
    claim: `UPDATE jobs
            SET state = ${leased}, token = token + 1, attempts = attempts + 1, lease_until = ?
            WHERE id IN (SELECT id FROM jobs WHERE state = ${ready} AND queue = 'default'
                         ORDER BY priority, id LIMIT ?)
            RETURNING id, token, payload`,
    complete: `UPDATE jobs SET state = ${done}, lease_until = NULL WHERE id = ? AND token = ?`,
    fail: `UPDATE jobs SET state = ${ready}, lease_until = NULL WHERE id = ? AND token = ?`,
    unfinished: `SELECT count(*) AS count FROM jobs WHERE state <> ${done}`,
  };
  const prepared = Object.entries(texts).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared);
}

/** Whatever is asked for before the event loop turns is one transaction. */
function gatherer(insertAll) {
  let waiting = [];
  const flush = () => {
    const callers = waiting;
    waiting = [];
    insertAll(callers.map(({ payload }) => payload));
    for (const { resolve } of callers) resolve();
  };
  return (payload) =>
    new Promise((resolve) => {
      if (waiting.push({ payload, resolve }) === 1) setImmediate(flush);
    });
}

async function claimLoop({ statements, transacted, batch, handler, work }) {
  while (!work.isStopped) {
    const jobs = transacted(() => statements.claim.all(Date.now() + 30_000, batch));
    const ends = await Promise.all(jobs.map((job) => outcome(handler, job)));
    transacted(() => {
      for (const [index, { id, token }] of jobs.entries()) {
        const { changes } = statements[ends[index]].run(id, token);
        if (changes !== 1) throw new Error('a completion was refused');
      }
    });
    await new Promise((turned) => setImmediate(turned));
  }
}

async function outcome(handler, job) {
  try {
    await handler(JSON.parse(job.payload));
    return 'complete';
  } catch {
    return 'fail';
  }
}
