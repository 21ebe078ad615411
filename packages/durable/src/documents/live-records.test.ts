import { type RetryRecord, syncSink } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { jobHistory } from './job-history.ts';
import { recordsOf } from './records-of.ts';

/** A job that fails twice and then works, on virtual time: the records of its worker, and the stored job. */
async function sample() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const emitted: RetryRecord[] = [];
  const jobs = jobsOn(
    store,
    {
      'browser.save_state': {
        policy: { id: 'quick', maxAttempts: 4, baseDelayMs: 1_000, jitter: 'none' },
        run: async (_: unknown, { attempt }) => {
          if (attempt < 3) throw new Error(`no answer in attempt ${attempt}`);
          return 'saved';
        },
      },
    },
    { clock, events: syncSink((record) => emitted.push(record)) },
  );
  const { id } = await jobs.enqueue('browser.save_state', {}, { tenant: 'acme', traceId: 't1' });
  await jobs.start();
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  await jobs.stop();
  const job = (await jobs.job(id)) ?? expect.fail('no job');
  return { store, emitted, job };
}

it('the records of a stored job are those that its worker emitted', async () => {
  const { emitted, job } = await sample();
  const read = recordsOf(job, { policyId: () => 'quick' });
  expect(read.map(({ kind }) => kind)).toEqual(emitted.map(({ kind }) => kind));
  expect(read).toEqual(emitted);
});

it('the history of a job names every attempt, also those that the job itself no longer keeps', async () => {
  const { store, job } = await sample();
  const history = await jobHistory(store, job.id);
  expect(history?.entries.map(({ event, from, to }) => `${event}: ${from} > ${to}`)).toEqual([
    'enqueue: null > ready',
    'claim: ready > leased',
    'settle: leased > scheduled',
    'claim: ready > leased',
    'settle: leased > scheduled',
    'claim: ready > leased',
    'settle: leased > succeeded',
  ]);
  expect(history?.entries[2]?.detail).toMatchObject({
    error: { message: 'no answer in attempt 1' },
  });
});
