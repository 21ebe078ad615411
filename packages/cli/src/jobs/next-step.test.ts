import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { type Job, jobDocument } from '@redrive/durable';
import { engageKill, pauseWork, releaseKill, resumeWork } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { nextStep } from './next-step.ts';

const NOW = START.startMs;

/** A stored job, after so many leases that were lost with their process. */
async function lostJob(losses: number, some: Partial<Job>) {
  const { jobs, store } = jobStore(virtualClock(START));
  const { id } = await jobs.enqueue('mail', {});
  const job = await store.job(id);
  if (job === undefined) throw new Error('The job was not stored');
  let account = openAccount();
  for (let n = 0; n < losses; n++) {
    account = settleAttempt(claimAttempt(account), 'process_lost', 0);
  }
  const none = { parked: null, kill_switch: null, pause: null, set_aside: null };
  return { ...jobDocument({ ...job, account, ...some }), ...none };
}

it.each([1, 2])(
  'a job that lost %i leases with its processes goes on like the others',
  async (losses) => {
    const job = await lostJob(losses, { state: 'ready', reason: 'lease_lost' });
    expect(nextStep(job, NOW)).toMatch(/its worker stopped sending heartbeats\.$/);
  },
);

it.each(['ready', 'scheduled'] as const)(
  'a %s job that lost three or more says why workers leave it for later',
  async (state) => {
    const job = await lostJob(3, { state, reason: 'lease_lost', dueAtMs: NOW });
    expect(nextStep(job, NOW)).toContain(
      'It lost 3 leases in a row, so a worker claims it only while it runs few other jobs, after more losses only while it runs none.',
    );
  },
);

it('a job that is held alone says so', async () => {
  const times = { sinceMs: NOW, untilMs: NOW + 30_000 };
  const lease = { worker: 'w', ...times, policyHash: 'h', alone: true };
  const job = await lostJob(3, { state: 'leased', lease });
  expect(nextStep(job, NOW)).toMatch(/The worker runs no other job at the same time\.$/);
});

it('a job whose lease has run out says who takes it over', async () => {
  const times = { sinceMs: NOW - 73_000, untilMs: NOW - 43_000 };
  const lease = { worker: 'vm-1', ...times, policyHash: 'h', alone: true };
  const job = await lostJob(0, { state: 'leased', lease });
  const text =
    'Its lease ran out 43 s ago (worker vm-1): the next worker that has the handler takes it over.';
  expect(nextStep(job, NOW)).toBe(text);
  const cancelled = { ...job, cancel_requested: true };
  expect(nextStep(cancelled, NOW)).toBe(`${text} A cancellation was requested.`);
});

it('a ready job says whether a pause or a kill switch keeps it from starting', async () => {
  const clock = virtualClock(START);
  const { jobs, store } = jobStore(clock);
  const { id } = await jobs.enqueue('mail', {});
  const next = async () => {
    const shown = await runMain(['jobs', 'show', id], { store, clock, env: { COLUMNS: '400' } });
    return shown.stdout.split('\n')[1];
  };
  const queue = { scope: 'queue', name: 'default', actor: { name: 'ann', why: 'INC-7' } } as const;
  await pauseWork(store, queue);
  expect(await next()).toMatch(
    /^It waits, because the queue default was paused at .* by ann: INC-7\.$/,
  );
  await engageKill(store, { ...queue, actor: { name: 'eve' } });
  expect(await next()).toMatch(
    /^It waits, because a kill switch for the queue default was engaged at .* by eve\. The queue default is paused, too\.$/,
  );
  await resumeWork(store, queue);
  expect(await next()).toMatch(/was engaged at .* by eve\.$/);
  await releaseKill(store, queue);
  await engageKill(store, { scope: 'tenant', name: 'acme', actor: { name: 'eve' } });
  expect(await next()).toBe('It waits for a worker that handles mail.');
});
