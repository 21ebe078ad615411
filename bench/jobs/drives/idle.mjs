// A worker with nothing to do: what its process costs, and how many statements it sends.
import pg from 'pg';
import { payloads } from './payload.mjs';
import { stopwatch } from './stopwatch.mjs';
import { untilFinished } from './until-finished.mjs';

const settleMs = 2000;

/** `counter`: a database of the same server from which to read how many statements it has carried out in this one. */
export async function drive(queue, { seconds, concurrency, counter, database }) {
  await queue.reset();
  const stop = await queue.work({ concurrency, handler: async () => {} });
  // Some work first: a worker that has never had any may be quieter than one that has.
  await queue.fill(payloads(500));
  await untilFinished(queue);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const statements = await statementCounter(counter, database);
  const before = await statements();
  const watch = stopwatch();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const taken = watch.read();
  const after = await statements();
  await stop();
  return {
    cpuPercent: (taken.cpuUs / 1e6 / taken.seconds) * 100,
    statementsPerSecond:
      before === undefined ? undefined : (after.count - before.count) / (after.atS - before.atS),
  };
}

async function statementCounter(counter, database) {
  if (globalThis.askSqlite) {
    await globalThis.askSqlite('startCounting');
    return async () => {
      const atS = performance.now() / 1000;
      const counts = await globalThis.askSqlite('statements');
      return { atS, count: counts.reduce((sum, count) => sum + count, 0) };
    };
  }
  if (!counter) return async () => undefined;
  return async () => {
    const client = new pg.Client({ connectionString: counter });
    await client.connect();
    const text = `SELECT coalesce(sum(calls), 0)::int AS count FROM pg_stat_statements
                  JOIN pg_database ON pg_database.oid = dbid WHERE datname = $1`;
    const { rows } = await client.query(text, [database]);
    const atS = performance.now() / 1000;
    await client.end();
    return { atS, count: rows[0].count };
  };
}
