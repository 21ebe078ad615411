import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FullStore, jobsOn } from '@redrive/durable';
import { engageKill, pauseWork, submitOperation } from '@redrive/durable/control';
import { actOnEscalation } from '@redrive/durable/escalation';
import { AccessFile, type Role, startServer } from '@redrive/server';
import { virtualClock } from '@redrive/testkit';
import { closeGate, declareSchedule, openBreaker, parkJobs, withWorker } from './control-states.ts';
import { jobStore, START } from './job-store.ts';
import { type Ran, runMain } from './run-main.ts';
import { addCauses } from './store-with-causes.ts';

/** A store with a bit of everything that stops work, in virtual time: two calls make equal stores. */
export async function operatorStore() {
  const { store: bare, clock } = jobStore(virtualClock(START));
  const store = withWorker(bare);
  const actor = { name: 'test', why: 'for the test' };
  await openBreaker(store, 'bank');
  await closeGate(store);
  await closeGate(store, { tenant: 'acme' });
  await parkJobs(store, 'breaker:bank', 3);
  await pauseWork(store, { scope: 'queue', name: 'slow', actor });
  await addCauses(store);
  await engageKill(store, { scope: 'queue', name: 'stopped', actor });
  await declareSchedule(store);
  await actOnEscalation(store, { key: 'archives', act: 'acknowledge', tier: 2, actor });
  const target = { filter: { handler: 'parked' }, limit: 10 };
  const jobs = jobsOn(store, { resize: () => undefined }, { clock, log: 'off' });
  await jobs.enqueue('resize', { image: 7 }, { id: 'image-7', queue: 'stopped' });
  await submitOperation(store, { id: 'incident-7', act: 'requeue', target, actor });
  await clock.advance(5_000);
  return { store, clock };
}

export type RunLine = (...args: readonly string[]) => Promise<Ran>;

/** The command line on such a store. */
export async function onStore(): Promise<{ run: RunLine; store: FullStore }> {
  const { store, clock } = await operatorStore();
  return { store, run: (...args) => runMain(args, { store, clock }) };
}

/** The command line of a machine without a store: a server has one like it. */
export async function onServer(
  onEnd: (close: () => void | Promise<void>) => void,
  { role = 'admin' as Role, version }: { role?: Role; version?: string } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-remote-'));
  onEnd(() => rmSync(directory, { recursive: true }));
  const { store, clock } = await operatorStore();
  const access = new AccessFile(join(directory, 'access.json'));
  const token = await access.createToken({ name: 'ann', role });
  const server = await startServer({ store, access, clock, port: 0, version });
  onEnd(() => server.close());
  const env = { REDRIVE_SERVER: server.url, REDRIVE_TOKEN: token };
  const run: RunLine = (...args) => runMain(args, { env, clock });
  return { store, run, url: server.url, token };
}

/** Without the words that must differ: the actor, where the answer is from, and ids of jobs. */
export function withoutPlace({ exitCode, stdout, stderr }: Ran) {
  const same = (text: string) =>
    text
      .replaceAll(/\b(?:cli|api):[^\s",]+/g, 'ACTOR')
      .replaceAll(/sqlite:\.\/redrive\.db|http:\/\/127\.0\.0\.1:\d+/g, 'PLACE')
      // Its length moves the end of the line.
      .replaceAll(/(PLACE[^\n]*)\n(?=\S)/g, '$1 ')
      .replaceAll(/\b0[a-z0-9]{19}\b/g, 'JOB');
  return { exitCode, stdout: same(stdout), stderr: same(stderr) };
}
