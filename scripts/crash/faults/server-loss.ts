import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import pg from 'pg';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface ServerLossOptions {
  readonly seed: number;
  readonly jobs: number;
  /** Times that all connections are cut by the server. */
  readonly terminations: number;
  /** Between two of them. */
  readonly everyMs: number;
  /** Times that the whole server is killed, among these, and started again. */
  readonly restarts: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  readonly fencing: boolean;
  readonly ledger: boolean;
}

export const SERVER_LOSS: ServerLossOptions = {
  seed: 1,
  jobs: 3_000,
  terminations: 100,
  everyMs: 2_000,
  restarts: 20,
  workers: 4,
  concurrency: 4,
  leaseMs: 3_000,
  sweepMs: 300,
  slackMs: 1_000,
  fencing: true,
  ledger: true,
};

/** Longest time that the server stays away, as a share of the lease: beyond it, leases run out. */
const LONGEST_AWAY = 1.2;

/** Postgres only: cuts all connections again and again, and kills the server now and then. No process of ours is hurt. */
export async function serverLoss(place: Place, options: ServerLossOptions): Promise<Report> {
  const { server } = place;
  if (server === undefined) throw new Error('There is no server on this store');
  const { seed, jobs, terminations, everyMs, restarts, leaseMs } = options;
  const random = seededRandom(seed);
  const crew = new Crew(place, options);
  const startedMs = performance.now();
  const findings = new Findings();
  let cut = 0;
  try {
    // Who starts while the server is away does not start.
    await crew.ready();
    let restartsLeft = restarts;
    for (let round = 0; round < terminations; round++) {
      crew.allow(Math.ceil((jobs * (round + 1)) / terminations));
      await sleep(everyMs * (0.5 + random()));
      const isRestart = random() < restartsLeft / (terminations - round);
      if (isRestart) {
        restartsLeft -= 1;
        await server.kill();
        await sleep(random() * leaseMs * LONGEST_AWAY);
        await server.restart();
      } else {
        cut += await terminateAll(place.target);
      }
    }
    await crew.finish();
  } finally {
    await crew.stop();
  }
  findings.figures['connections cut'] = cut;
  findings.figures['server kills'] = Math.min(restarts, terminations);
  const { failures } = crew;
  // Whoever has come to its end while the server was away may have its lease taken before it can say so.
  const extraRunsPerLoss = options.workers * options.concurrency;
  const extraRuns = { losses: restarts, extraRunsPerLoss };
  await checkEverything(place, { ...options, ...extraRuns, failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'server loss', store: place.kind, seed, figures, violations };
}

async function terminateAll(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  await client.end();
  return rowCount ?? 0;
}
