import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyAudit } from '@redrive/durable/audit';
import { seededRandom } from '@redrive/testkit';
import {
  type PostgresService,
  startPostgres,
  startTcpProxy,
  type TcpProxy,
  until,
} from '@redrive/testkit/services';
import pg from 'pg';
import {
  type TrailRecord,
  trailsOf,
} from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import { allJobs } from '../../../packages/testkit/src/conformance/store/invariants.ts';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import { type Ending, type Remark, readEvidence } from '../evidence.ts';
import { readJournal } from '../journal.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface PostgresClusterOptions {
  readonly seed: number;
  readonly jobs: number;
  /** kill -9 of the primary. Its standby is promoted and gets a standby of its own before the next kill. */
  readonly kills: number;
  /** `asynchronous`: losses are allowed, and must be reported. */
  readonly standby: 'synchronous' | 'asynchronous';
  /** The link to the standby stalls for this long before each kill. */
  readonly stallMs: number;
  /** The first attempt ends so soon after a kill. */
  readonly workingWithinMs: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  readonly fencing: boolean;
  /** A planted bug, which the run must find: the standby is asynchronous, and nothing may be lost. */
  readonly bug?: 'asynchronous standby';
}

export const POSTGRES_CLUSTER: PostgresClusterOptions = {
  seed: 1,
  jobs: 6_000,
  kills: 6,
  standby: 'synchronous',
  stallMs: 400,
  workingWithinMs: 10_000,
  workers: 3,
  concurrency: 8,
  leaseMs: 3_000,
  sweepMs: 300,
  slackMs: 2_000,
  fencing: true,
};

const PATIENCE = { timeoutMs: 60_000, everyMs: 20 };

/** A standby, and the link over which it follows its primary. */
interface Standby {
  readonly server: PostgresService;
  readonly link: TcpProxy;
}

/** Postgres only: kills the primary under load, promotes its standby and moves the address there. */
export async function postgresCluster(
  place: Place,
  options: PostgresClusterOptions,
): Promise<Report> {
  if (place.server === undefined) throw new Error('There is no server on this store');
  const { seed, jobs, kills, standby: kind, stallMs, bug } = options;
  const isSynchronous = kind === 'synchronous' && bug === undefined;
  const isLossAllowed = kind === 'asynchronous' && bug === undefined;
  const random = seededRandom(seed);
  const startedMs = performance.now();
  const findings = new Findings();
  const servers: PostgresService[] = [];
  let primary = place.server;
  const address = await startTcpProxy({ port: primary.port });
  const target = primary.url.replace(`:${primary.port}/`, `:${address.port}/`);
  const seen = { ...place, target };
  let standby = await follow(primary, isSynchronous);
  servers.push(standby.server);
  const crew = new Crew(seen, { ...options, longShare: 0.05 });
  const share = (part: number) => Math.ceil((jobs * part) / (kills + 1));
  let longestMs = 0;

  async function failOver(round: number): Promise<void> {
    crew.allow(share(round + 0.3));
    await sleep(500 + random() * 500);
    // The last commits do not reach the standby. A synchronous primary confirms none of them.
    standby.link.stall();
    crew.allow(share(round + 0.6));
    await sleep(stallMs);
    await primary.kill();
    const killedAtMs = Date.now();
    primary = await promote(standby);
    const promotedAtMs = Date.now();
    address.redirect(primary.port);
    address.cut();
    crew.allow(share(round + 1));
    const ended = () => firstEnding(place, promotedAtMs) !== undefined;
    await until(ended, PATIENCE);
    const workingAtMs = firstEnding(place, promotedAtMs) ?? Number.POSITIVE_INFINITY;
    longestMs = Math.max(longestMs, workingAtMs - killedAtMs);
    if (round + 1 === kills) return;
    standby = await follow(primary, isSynchronous);
    servers.push(standby.server);
  }

  try {
    try {
      await crew.ready();
      for (let round = 0; round < kills; round++) await failOver(round);
      await crew.finish();
    } finally {
      await crew.stop();
    }
    // Only after a run without an error: a check that throws would hide that error.
    findings.figures['primaries killed'] = kills;
    findings.atMost('longest until working, ms', longestMs, options.workingWithinMs);
    if (isLossAllowed) await checkLosses(seen, findings);
    else await checkNothingLost(seen, options, crew.failures, findings);
  } finally {
    // One that does not stop keeps none of the others running.
    for (const each of [address, standby.link, ...servers]) {
      await each.stop().catch(() => undefined);
    }
  }
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: `cluster, ${kind} standby`, store: place.kind, seed, figures, violations };
}

/** When an attempt ended after this time, and the store took it. */
function firstEnding({ directory }: Place, afterMs: number): number | undefined {
  return readJournal<Ending>(join(directory, 'endings')).find(
    ({ atMs, refusal }) => refusal === undefined && atMs > afterMs,
  )?.atMs;
}

/** Starts a standby. From then on a synchronous primary confirms a commit when both have it on disk. */
async function follow(primary: PostgresService, isSynchronous: boolean): Promise<Standby> {
  const link = await startTcpProxy({ port: primary.port });
  const url = primary.url.replace(`:${primary.port}/`, `:${link.port}/`);
  const server = await startPostgres({ replicaOf: { url } });
  const hasState = (state: string) => async () => {
    const [row] = await ask(primary.url, 'select state, sync_state from pg_stat_replication');
    return row?.state === 'streaming' && row.sync_state === state;
  };
  if (!(await until(hasState('async'), PATIENCE))) throw new Error('The standby does not stream');
  if (isSynchronous) {
    await ask(primary.url, "alter system set synchronous_standby_names = '*'");
    await ask(primary.url, 'select pg_reload_conf()');
    if (!(await until(hasState('sync'), PATIENCE)))
      throw new Error('The standby does not become synchronous');
  }
  return { server, link };
}

/** What a cluster manager does: the standby becomes the primary, and does not wait for a standby that it has not yet. */
async function promote({ server, link }: Standby): Promise<PostgresService> {
  await link.stop();
  await ask(server.url, 'alter system reset synchronous_standby_names');
  await ask(server.url, 'select pg_reload_conf()');
  await ask(server.url, 'select pg_promote()');
  return server;
}

async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function checkNothingLost(
  place: Place,
  options: PostgresClusterOptions,
  failures: readonly string[],
  findings: Findings,
): Promise<void> {
  const { kills, workers, concurrency } = options;
  // An attempt that ends while the server is away may lose its lease before it can say so.
  const extraRuns = { losses: kills, extraRunsPerLoss: workers * concurrency };
  await checkEverything(place, { ...options, ...extraRuns, failures }, findings);
  const warnings = readEvidence(place.directory).remarks.filter(isLossWarning);
  findings.figures['losses reported'] = warnings.length;
  if (options.bug !== undefined) return;
  findings.none(
    'losses reported, and nothing was lost',
    warnings.map(({ worker }) => worker),
  );
}

/** Confirmed commits may be gone. Each process whose commits are gone must say so, and the log must be whole. */
async function checkLosses(place: Place, findings: Findings): Promise<void> {
  const { accepted, endings, remarks } = readEvidence(place.directory);
  const store = await openTarget(place.target);
  const ids = new Set((await allJobs(store)).map(({ id }) => id));
  const trails = await trailsOf(store);
  const reader = await store.readAudit();
  const { problems } = await verifyAudit(reader);
  await reader.close();
  await store.close();
  const lostJobs = accepted.filter(({ id = '' }) => !ids.has(id));
  const lostEndings = endings.filter(
    ({ id, token, refusal }) => refusal === undefined && !hasEnd(trails.get(id) ?? [], token),
  );
  const reporters = new Set(remarks.filter(isLossWarning).map(({ worker }) => worker));
  findings.figures.accepted = accepted.length;
  findings.figures['accepted jobs lost'] = lostJobs.length;
  findings.figures['confirmed ends lost'] = lostEndings.length;
  findings.figures['losses reported by'] = [...reporters].sort().join(', ');
  if (lostJobs.length + lostEndings.length === 0)
    findings.violation('nothing was lost', 'no proof');
  const losers = new Set(lostEndings.map(({ worker }) => worker));
  if (lostJobs.length > 0) losers.add('submitter-1');
  findings.none(
    'lost and not reported',
    [...losers].filter((worker) => !reporters.has(worker)),
  );
  findings.none(
    'audit problems',
    problems.map((problem) => JSON.stringify(problem)),
  );
}

/** Whether the claim with this token is there, and the end of its attempt. */
function hasEnd(trail: readonly TrailRecord[], token: number): boolean {
  const index = trail.findIndex((record) => record.event === 'claim' && record.token === token);
  return index >= 0 && trail[index + 1]?.event === 'settle';
}

function isLossWarning({ kind, text }: Remark): boolean {
  return kind === 'store_warning' && text.includes('has lost commits');
}
