// A month of 1,000 sessions in `ladder()`: jobs, events, documents and calls, of which a third fails at first.
import { definePolicy } from '@redrive/core';
import { ladder } from '@redrive/testkit/ladder';

const DAY_MS = 86_400_000;
const SESSIONS = 1_000;
const DAYS = 30;
const GOAL_S = 30;

const POLICY = {
  id: 'patient',
  maxAttempts: 8,
  baseDelayMs: 60_000,
  maxDelayMs: DAY_MS,
  jitter: 'full',
};

const COLLECTION = {
  name: 'archives',
  fields: {
    ...{ id: '_id', status: 'status', count: 'count', time: 'time', mark: 'mark', error: 'error' },
    read: [],
  },
  pending: ['pending'],
  done: ['done'],
  failed: 'failed',
};

/** Answers whether the goal is met. */
export async function month() {
  const withJobs = await seconds({ jobs: 0.8, calls: 0.2 });
  const withAll = await seconds({ jobs: 0.4, calls: 0.2, events: 0.3 });
  const print = (what, took) =>
    console.log(`${DAYS} days of ${SESSIONS} sessions in ladder(), ${what}: ${took.toFixed(1)} s`);
  print('jobs and calls', withJobs);
  print('jobs, calls, events and documents', withAll);
  console.log(`goal at most ${GOAL_S} s`);
  return withAll <= GOAL_S;
}

async function seconds(shares) {
  const hasEvents = shares.events !== undefined;
  const run = ladder({
    handlers: {
      work: { run: async () => null, policy: POLICY },
      order: {
        policy: POLICY,
        run: async ({ data }) => {
          if (data) run.documents.put(COLLECTION, { _id: data.id, status: 'done' });
        },
      },
    },
    failures: [
      { at: 'work', error: 'retryable', share: 0.3 },
      { at: 'order', error: 'rate_limited', retryAfterMs: 600_000, share: 0.3 },
      { at: 'call', error: 'retryable', upToAttempt: 2 },
    ],
    ...(hasEvents && {
      sources: [{ name: 'orders', handler: 'order' }],
      sweeps: [
        {
          ...{ name: 'archives', collection: COLLECTION, dependency: '' },
          ...{ thresholdMs: DAY_MS, minimumAgeMs: 0 },
          policy: definePolicy({ ...POLICY, id: 'documents.archives' }),
          event: { type: 'Ingested', bus: 'memory', destination: 'orders', data: { id: '$_id' } },
        },
      ],
    }),
  });
  const startNs = process.hrtime.bigint();
  await run.start();
  const calls = [];
  for (let n = 0; n < SESSIONS; n += 1) {
    const place = n / SESSIONS;
    const turn = (n * 0.618_034) % 1;
    if (turn < shares.jobs) await run.jobs.enqueue('work', n);
    else if (turn < shares.jobs + shares.calls) {
      calls.push(run.retry(() => n, POLICY, { operation: 'call' }));
    } else if (turn < shares.jobs + shares.calls + (shares.events ?? 0)) {
      const body = Buffer.from(JSON.stringify({ place }));
      await run.bus.publish([{ destination: 'orders', body, id: `m-${n}` }]);
    } else run.documents.put(COLLECTION, { _id: `d-${n}`, status: 'pending' });
    await run.advance((DAYS * DAY_MS) / SESSIONS);
  }
  await Promise.all(calls);
  await run.stop();
  const { length } = await run.trace();
  if (length < SESSIONS) throw new Error(`The trace has ${length} lines only`);
  return Number(process.hrtime.bigint() - startNs) / 1e9;
}
