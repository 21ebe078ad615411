// `npm run audit-cost [-- --seconds 3 --rounds 4]`: what the audit log costs callers on Postgres who enqueue inside their
// own transactions. 32 of them, each transaction 20 ms long; slices with and without audit take turns. `one chain` stands
// for a log in which each block names the one before it, whoever wrote that: then a writer waits for the one before. Exit
// code 1: the rate with audit is below 0.8 of the rate without.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openAccount } from '@redrive/core/stored';
import type { EnqueueCommand } from '@redrive/durable/store';
import { startPostgres } from '@redrive/testkit/services';
import { Client } from 'pg';
import { encodeNewJobs } from '../packages/postgres/dist/apply/encode-new-jobs.js';
import { enqueueIn, openStore } from '../packages/postgres/dist/index.js';
import { NEW_JOB_COLUMNS } from '../packages/postgres/dist/schema/enqueue-function.js';

const CLIENTS = 32;
const HELD_MS = 20;
const GOAL = 0.8;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '4' },
  },
});

type Enqueue = (client: Client, command: EnqueueCommand) => Promise<unknown>;

const numbers = NEW_JOB_COLUMNS.map((_: unknown, at: number) => `$${at + 1}`).join(', ');
const MODES: Readonly<Record<string, Enqueue>> = {
  'no audit': (client, command) =>
    client.query({
      text: `select outcomes from redrive.enqueue(null, null, ${numbers})`,
      values: [...encodeNewJobs([command])],
    }),
  audit: (client, command) => enqueueIn(client, command),
  'one chain': async (client, command) => {
    await client.query('select pg_advisory_xact_lock(17)');
    await enqueueIn(client, command);
  },
};

let jobs = 0;

function command(): EnqueueCommand {
  const id = `job-${++jobs}`;
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: 'mail',
      queue: 'default',
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: JSON.stringify({ to: 'ada@example.org', n: jobs }) },
      sessionId: id,
      idempotencyKey: id,
    },
    onConflict: 'existing',
    account: openAccount(),
    actor: { name: 'script' },
  };
}

/** Transactions per second of all clients together. */
async function rate(clients: readonly Client[], enqueue: Enqueue, seconds: number) {
  const untilMs = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < untilMs) {
        await client.query('begin');
        await enqueue(client, command());
        // What the caller does besides, with its locks held.
        await wait(HELD_MS);
        await client.query('commit');
        done += 1;
      }
    }),
  );
  return done / seconds;
}

const server = await startPostgres();
try {
  const store = await openStore(server.url);
  await store.migrate();
  await store.close();
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      return client;
    }),
  );
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [mode, enqueue] of Object.entries(MODES)) {
      const perSecond = await rate(clients, enqueue, Number(values.seconds));
      rates[mode] = [...(rates[mode] ?? []), perSecond];
    }
  }
  await Promise.all(clients.map((client) => client.end()));
  const median = (mode: string): number => {
    const sorted = [...(rates[mode] ?? [])].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  for (const mode of Object.keys(MODES)) {
    const ratio = (median(mode) / median('no audit')).toFixed(2);
    console.log(
      `${mode.padEnd(10)} ${median(mode).toFixed(0).padStart(6)} transactions/s  ${ratio}`,
    );
  }
  if (median('audit') < GOAL * median('no audit')) process.exitCode = 1;
} finally {
  await server.stop();
}
