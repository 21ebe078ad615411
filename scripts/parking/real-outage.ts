import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobsOn } from '@redrive/durable';
import { openTarget } from '../crash/open-target.ts';
import type { Place } from '../crash/place.ts';

export interface RealOutage {
  readonly downMs: number;
  /** Jobs that are submitted every second: before, while it is down, and a little after. */
  readonly perSecond: number;
  /** One probe per this time. */
  readonly breakerTimeoutMs: number;
}

export interface RealOutageReport {
  readonly jobs: number;
  readonly succeeded: number;
  readonly dead: number;
  /** Attempts that began while the dependency was dead. */
  readonly attemptsWhileDown: number;
  readonly mostParked: number;
  /** From the log of the dependency: requests in each second after the first one that it got when it was back. */
  readonly perSecondAfter: readonly number[];
  /** From its return until the first request, and until all jobs were done. */
  readonly firstAfterMs: number;
  readonly allAfterMs: number;
  /** Workers that the dependency has heard of after its return. */
  readonly workers: number;
}

interface Line {
  readonly atMs: number;
  readonly worker: string;
}

const BEFORE_MS = 1_000;
const AFTER_MS = 1_000;
const PATIENCE_MS = 120_000;
const TICK_MS = 100;

/** Two worker processes, and an HTTP server on loopback that is killed with -9 and started again. */
export async function realOutage(place: Place, outage: RealOutage): Promise<RealOutageReport> {
  const { directory, target } = place;
  const requests = join(directory, 'requests.log');
  const attempts = join(directory, 'attempts.log');
  const config = join(directory, 'redrive.yaml');
  writeFileSync(config, configText(place, outage));
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]) => {
    const child = fork(join(import.meta.dirname, file), args, { stdio: 'inherit', execArgv: [] });
    children.push(child);
    const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`)));
    const [message] = await Promise.race([once(child, 'message'), exited]);
    exited.catch(() => {});
    return { child, message: String(message) };
  };
  // A busy machine is no reason to give up.
  const store = await openTarget(target, { timeoutMs: 30_000 });
  try {
    const api = await start('http-dependency.ts', '0', requests);
    const url = `http://127.0.0.1:${api.message}/`;
    for (const name of ['w1', 'w2'])
      await start('outage-worker.ts', target, name, url, attempts, config);
    const jobs = jobsOn(store, { call: (_: null): void => {} });
    let submitted = 0;
    let mostParked = 0;
    const submitFor = async (ms: number) => {
      const untilMs = Date.now() + ms;
      for (; Date.now() < untilMs; await sleep(TICK_MS)) {
        const some = Array(Math.ceil((outage.perSecond * TICK_MS) / 1_000)).fill(null);
        submitted += some.length;
        await jobs.enqueueMany('call', some);
        const parks = await store.parks();
        mostParked = Math.max(mostParked, ...parks.map(({ count }) => count));
      }
    };
    await submitFor(BEFORE_MS);
    const exited = once(api.child, 'exit');
    api.child.kill('SIGKILL');
    await exited;
    const downAtMs = Date.now();
    await submitFor(outage.downMs);
    const upAtMs = Date.now();
    await start('http-dependency.ts', api.message, requests);
    await submitFor(AFTER_MS);
    const count = async (state: string) =>
      (await store.counts()).groups.find((group) => group.state === state)?.count ?? 0;
    const isOver = async () => (await count('succeeded')) + (await count('dead')) >= submitted;
    while (!(await isOver()) && Date.now() < upAtMs + PATIENCE_MS) await sleep(TICK_MS);
    const allAfterMs = Date.now() - upAtMs;
    const after = readLog(requests).filter(({ atMs }) => atMs >= upAtMs);
    const firstMs = after[0]?.atMs ?? Infinity;
    const seconds = Math.floor(((after.at(-1)?.atMs ?? firstMs) - firstMs) / 1_000) + 1;
    return {
      jobs: submitted,
      succeeded: await count('succeeded'),
      dead: await count('dead'),
      attemptsWhileDown: readLog(attempts).filter(({ atMs }) => atMs >= downAtMs && atMs < upAtMs)
        .length,
      mostParked,
      perSecondAfter: Array.from(
        { length: seconds },
        (_, n) => after.filter(({ atMs }) => Math.floor((atMs - firstMs) / 1_000) === n).length,
      ),
      firstAfterMs: firstMs - upAtMs,
      allAfterMs,
      workers: new Set(after.map(({ worker }) => worker)).size,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await store.close();
  }
}

/** The configuration of the workers, for commands on the store that is left. */
const configText = ({ kind }: Place, { breakerTimeoutMs }: RealOutage) => `version: "1.1.0"
${kind === 'sqlite' ? 'store: { url: "sqlite:./redrive.db" }' : ''}
policies:
  call:
    name: Calls of the API
    max_attempts: 5
    backoff_type: fixed
    base_delay: 1
    max_delay: 1
    jitter_type: none
    enable_circuit_breaker: true
    circuit_breaker_timeout: ${breakerTimeoutMs / 1_000}
jobs: { handlers: { call: { policy: call, dependency: api, idempotent: true } } }
`;

function readLog(file: string): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
