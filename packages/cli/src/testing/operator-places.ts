import { join } from 'node:path';
import { loadConfig } from '@redrive/config';
import { jobsOn } from '@redrive/durable';
import { engageKill, pauseWork, submitOperation } from '@redrive/durable/control';
import { actOnEscalation } from '@redrive/durable/escalation';
import { AccessFile, type Role, startServer } from '@redrive/server';
import { virtualClock } from '@redrive/testkit';
import { openSweeps } from '../sweep/configured-sweeps.ts';
import type { Io } from '../terminal/io.ts';
import {
  closeGate,
  declareRate,
  declareSchedule,
  makeBatch,
  openBreaker,
  parkJobs,
  withWorker,
} from './control-states.ts';
import { documentsWithAll, SWEEPS_CONFIG } from './document-place.ts';
import { jobStore, START } from './job-store.ts';
import { type Ran, runMain } from './run-main.ts';
import { scratchDirectory } from './scratch-directory.ts';
import { signedIn } from './signed-in.ts';
import { addCauses } from './store-with-causes.ts';

const FILES = {
  'redrive.yaml': `version: "1.1.0"\nbuses: { main: { url: "nats://127.0.0.1:4222" } }\n${SWEEPS_CONFIG}`,
};

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
  await makeBatch(store);
  await declareRate(store);
  await actOnEscalation(store, { key: 'archives', act: 'acknowledge', tier: 2, actor });
  const target = { filter: { handler: 'parked' }, limit: 10 };
  const jobs = jobsOn(store, { resize: () => undefined }, { clock, log: 'off' });
  await jobs.enqueue('resize', { image: 7 }, { id: 'image-7', queue: 'stopped' });
  await submitOperation(store, { id: 'incident-7', act: 'requeue', target, actor });
  await clock.advance(5_000);
  return { store, clock };
}

export type RunLine = (...args: readonly string[]) => Promise<Ran>;
type OnEnd = (close: () => void | Promise<void>) => void;

/** A directory with a configuration, a sign-in and a token. */
async function operatorPlace(onEnd: OnEnd, role: Role = 'admin') {
  const directory = scratchDirectory(onEnd, FILES);
  const { store, clock } = await operatorStore();
  const documents = documentsWithAll(clock);
  const access = new AccessFile(join(directory, 'redrive.db.access.json'));
  const token = await access.createToken({ name: 'ann', role });
  signedIn(directory, clock.now());
  return { directory, store, clock, documents, access, token };
}

/** The command line on such a store. */
export async function onStore(onEnd: OnEnd) {
  const { directory, store, clock, documents } = await operatorPlace(onEnd);
  const run: RunLine = (...args) => runMain(args, { store, clock, documents, directory });
  return { store, documents, run };
}

/** The command line of a machine without a store: a server has one like it. */
export async function onServer(
  onEnd: OnEnd,
  { role = 'admin' as Role, version }: { role?: Role; version?: string } = {},
) {
  const place = await operatorPlace(onEnd, role);
  const { directory, store, clock, documents, access, token } = place;
  const { config } = await loadConfig({ file: 'redrive.yaml', directory, environment: {} });
  if (config === undefined) throw new Error('The configuration is not valid');
  const io = { directory, openDocuments: async () => documents };
  // Only these two are used.
  const { sweeps } = await openSweeps(io as unknown as Io, () => config);
  const parts = { store, access, clock, config: () => config, sweeps: async () => sweeps };
  const server = await startServer({ ...parts, port: 0, version });
  onEnd(() => server.close());
  const env = { REDRIVE_SERVER: server.url, REDRIVE_TOKEN: token };
  const run: RunLine = (...args) => runMain(args, { env, clock });
  return { store, documents, run, url: server.url, token };
}

/** Without the words that must differ: the actor, where the answer is from, and ids of jobs. */
export function withoutPlace({ exitCode, stdout, stderr }: Ran) {
  const same = (text: string) =>
    text
      .replaceAll(/\b(?:cli|api):[^\s",]+/g, 'ACTOR')
      .replaceAll(/sqlite:\.\/redrive\.db|http:\/\/127\.0\.0\.1:\d+/g, 'PLACE')
      // Its length moves the end of the line.
      .replaceAll(/(PLACE[^\n]*)\n(?=\S)/g, '$1 ')
      .replaceAll(/\b0[a-z0-9]{19}\b/g, 'JOB')
      .replaceAll(/\bredrive_[0-9a-f]{12}_[\w-]{43}/g, 'TOKEN')
      // Of tokens and sign-ins.
      .replaceAll(/\b[0-9a-f]{12}\b/g, 'ID');
  return { exitCode, stdout: same(stdout), stderr: same(stderr) };
}
