import { jobsOn, memoryStore, retryAfter } from '@redrive/durable';
import { engageKill, forceBreaker, releaseKill } from '@redrive/durable/control';
import { replayJob } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { scheduledRetries } from './scheduled-retries.ts';
import { timelineOf } from './timeline.ts';

const START = Date.parse('2027-01-31T08:00:00Z');
const actor = { name: 'ops' };

/** A job that fails, gets a hint of 30 s, and fails from then on. */
async function failingJob() {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const policy = {
    maxAttempts: 4,
    baseDelayMs: 10_000,
    maxDelayMs: 600_000,
    jitter: 'none',
  } as const;
  const run = async (_: unknown, { attempt }: { readonly attempt: number }) => {
    if (attempt === 2) return retryAfter(30_000);
    throw new Error(`no answer in attempt ${attempt}`);
  };
  const jobs = jobsOn(store, { invoice: { policy, run } }, { clock, log: 'off' });
  onTestFinished(() => jobs.stop());
  const { id } = await jobs.enqueue('invoice', {});
  await jobs.start();
  const read = async () => {
    const job = await store.job(id);
    if (job === undefined) throw new Error('The job does not exist');
    return timelineOf(store, job);
  };
  return { clock, store, jobs, id, read };
}

test('a timeline has the attempts, their waits with why, and the planned attempt with the time of the store', async () => {
  const { clock, read, store, id } = await failingJob();
  for (let second = 0; second < 45; second++) await clock.advance(1_000);
  const timeline = await read();
  expect(timeline).toMatchObject({ complete: true, charged: 2, max_attempts: 4, events: [] });
  const { rows } = timeline;
  const seen = rows.map(({ attempt, entry, waits }) => {
    return [attempt, entry, waits.map(({ why, ongoing }) => [why, ongoing])];
  });
  expect(seen).toEqual([
    [1, 'failed', [['backoff', false]]],
    [2, 'rate_limited', [['hint', false]]],
    [3, 'failed', [['backoff', true]]],
  ]);
  expect(rows[0]?.waits[0]).toMatchObject({ until: new Date(START + 10_000).toISOString() });
  for (const [at, row] of rows.entries()) {
    expect(row.waits[0]?.from).toBe(row.ended_at);
    const next = rows[at + 1]?.started_at ?? timeline.planned[0]?.at;
    expect(row.waits.at(-1)?.until).toBe(next);
  }
  const job = await store.job(id);
  expect(timeline.revision).toBe(job?.revision);
  expect(timeline.planned).toEqual([
    {
      ...{ attempt: 4, waits_for: null, of: null, at_most_after_ms: null },
      at: new Date(job?.dueAtMs ?? 0).toISOString(),
    },
    { attempt: 5, at: null, waits_for: null, of: null, at_most_after_ms: 40_000 },
  ]);
});

test('a job that succeeded at attempt 2 has used 2 of 5 attempts', async () => {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const policy = { maxAttempts: 5, baseDelayMs: 1_000, jitter: 'none' } as const;
  let calls = 0;
  const run = async () => {
    calls += 1;
    if (calls === 1) throw new Error('connection reset');
  };
  const jobs = jobsOn(store, { invoice: { policy, run } }, { clock, log: 'off' });
  onTestFinished(() => jobs.stop());
  const { id } = await jobs.enqueue('invoice', {});
  await jobs.start();
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  const job = await store.job(id);
  if (job === undefined) throw new Error('The job does not exist');
  expect(job.state).toBe('succeeded');
  expect(await timelineOf(store, job)).toMatchObject({ charged: calls, max_attempts: 5 });
  expect(calls).toBe(2);
});

test('a kill switch that stops a due job is a wait of its own, with its scope, and an event', async () => {
  const { clock, read, store } = await failingJob();
  await clock.advance(2_000);
  await engageKill(store, { scope: 'operation', name: 'invoice', actor });
  for (let second = 0; second < 58; second++) await clock.advance(1_000);
  const { rows, planned, events } = await read();
  const waits = rows.at(-1)?.waits.map(({ why, of, until, ongoing }) => [why, of, until, ongoing]);
  expect(waits?.at(-1)).toEqual(['kill', expect.stringContaining('invoice'), null, true]);
  expect(planned[0]).toMatchObject({ at: null, waits_for: 'kill' });
  expect(events[0]?.text).toBe('kill switch on the handler invoice engaged');
  await releaseKill(store, { scope: 'operation', name: 'invoice', actor });
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  const after = await read();
  expect(after.rows.length).toBeGreaterThan(rows.length);
  expect(after.rows.flatMap((row) => row.waits).filter(({ ongoing }) => ongoing)).toHaveLength(1);
});

test('a wait for a breaker keeps its name when it is over', async () => {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const policy = { maxAttempts: 4, enableCircuitBreaker: true } as const;
  const charge = { policy, dependency: 'bank', run: () => 'done' };
  const jobs = jobsOn(store, { charge }, { clock, log: 'off' });
  onTestFinished(() => jobs.stop());
  await forceBreaker(store, { dependency: 'bank', state: 'open', until: { inMs: 30_000 }, actor });
  const { id } = await jobs.enqueue('charge', {});
  await jobs.start();
  for (let second = 0; second < 120; second++) await clock.advance(1_000);
  const job = await store.job(id);
  if (job === undefined) throw new Error('The job does not exist');
  expect(job.state).toBe('succeeded');
  const { rows } = await timelineOf(store, job);
  expect(rows.flatMap(({ waits }) => waits)[0]).toMatchObject({
    ...{ why: 'breaker', of: 'breaker:bank', ongoing: false },
  });
});

test('the decisions of one job are derived again from its own records; a signal ends it', async () => {
  const { clock, store, id, read } = await failingJob();
  for (let second = 0; second < 45; second++) await clock.advance(1_000);
  const replay = await replayJob(store, id);
  expect(replay).toMatchObject({ session: id, omitted: 0, same: true });
  const { rows } = await read();
  for (const { revision } of rows) {
    const step = replay?.steps.find(({ record }) => record.revision === revision);
    expect(step?.decision?.same).toBe(true);
  }
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(replayJob(store, id, { signal })).rejects.toThrow('enough');
  expect(await replayJob(store, 'nobody')).toBeUndefined();
});

test('scheduled retries of the next 24 hours by quarter of an hour, for a tenant its own', async () => {
  const { clock, store } = await failingJob();
  await clock.advance(2_000);
  const all = await scheduledRetries(store, {});
  expect(all).toMatchObject({ overdue: 0, later: 0, bounded: false, counted_until: null });
  expect(all.buckets).toHaveLength(96);
  expect(all.buckets.slice(0, 2)).toEqual([1, 0]);
  const others = await scheduledRetries(store, { tenant: 'acme' });
  expect(Math.max(...others.buckets)).toBe(0);
});

test('scheduled retries are all counted, however many jobs of other states there are', async () => {
  const { clock, store, jobs } = await failingJob();
  await clock.advance(2_000);
  await jobs.stop();
  for (const _ of ['a', 'b']) await jobs.enqueue('invoice', {});
  const small: typeof store = {
    ...store,
    failing: (request) => store.failing({ ...request, atMost: 1 }),
  };
  expect(await scheduledRetries(small, {})).toMatchObject({
    bounded: false,
    counted_until: null,
  });
});
