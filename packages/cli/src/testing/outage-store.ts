import type { Policy } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import type { MovableClock } from './job-store.ts';

/** The policy that all jobs have, as a file and in code. */
export const OUTAGE_POLICY = `
  call: { name: Calls, max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1, jitter_type: none }
`;

const SECOND_MS = 1_000;

/**
 * A store in memory on which a worker has called a dependency that was down from second 20 to second 40 of a minute: four
 * jobs a second, at most three attempts each.
 */
export async function outageStore(clock: MovableClock, given: Policy = {}) {
  const store = memoryStore({ clock });
  const startMs = clock.monotonic();
  const second = () => (clock.monotonic() - startMs) / SECOND_MS;
  const policy = {
    maxAttempts: 3,
    backoff: 'fixed',
    baseDelayMs: SECOND_MS,
    jitter: 'none',
  } as const;
  const run = async () => {
    if (second() < 20 || second() >= 40) return;
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  };
  const call = { run, policy: { id: 'call', ...policy, ...given }, dependency: 'api' };
  const jobs = jobsOn(store, { call }, { clock, worker: 'worker-1', log: 'off' });
  await jobs.start();
  const ids: string[] = [];
  while (second() < 60) {
    ids.push((await jobs.enqueue('call', null)).id);
    await clock.advance(SECOND_MS / 4);
  }
  await clock.advance(60 * SECOND_MS);
  const stopped = jobs.stop();
  await clock.advance(SECOND_MS);
  await stopped;
  return { store, ids };
}
