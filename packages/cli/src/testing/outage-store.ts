import type { Policy } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import type { MovableClock } from './job-store.ts';

const SECOND_MS = 1_000;

export interface OutageStoreOptions {
  /** With its id, which is also the name of the handler and of the dependency. */
  readonly policy: Policy & { readonly id: string };
  readonly perSecond?: number;
  /** The dependency is down from second 20 on, for this time. */
  readonly downSeconds?: number;
}

/**
 * A store in memory on which a worker has called a dependency that was down for a while: jobs arrive for a minute, and
 * have two minutes more to end.
 */
export async function outageStore(clock: MovableClock, options: OutageStoreOptions) {
  const { policy, perSecond = 4, downSeconds = 20 } = options;
  const { id: name } = policy;
  const store = memoryStore({ clock });
  const startMs = clock.monotonic();
  const second = () => (clock.monotonic() - startMs) / SECOND_MS;
  const run = async () => {
    if (second() < 20 || second() >= 20 + downSeconds) return;
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  };
  const handlers = { [name]: { run, policy, dependency: name } };
  const jobs = jobsOn(store, handlers, { clock, worker: 'worker-1', log: 'off' });
  await jobs.start();
  const ids: string[] = [];
  while (second() < 60) {
    ids.push((await jobs.enqueue(name, null)).id);
    await clock.advance(SECOND_MS / perSecond);
  }
  await clock.advance(120 * SECOND_MS);
  const stopped = jobs.stop();
  await clock.advance(SECOND_MS);
  await stopped;
  const { groups } = await store.counts();
  const count = (state: string) => groups.find((group) => group.state === state)?.count ?? 0;
  return { store, ids, dead: count('dead'), succeeded: count('succeeded') };
}
