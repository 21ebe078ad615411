import { definePolicy, RedriveError } from '@redrive/core';
import { expect, it } from 'vitest';
import { HOUR, sweepBench } from '../testing/sweep-bench.ts';
import { workBench } from '../testing/work-bench.ts';
import { SWEEP_HANDLER } from './sweep-numbers.ts';
import { runSweeps, sweepHandler } from './sweep-run.ts';

const SECOND = 1_000;

/** `redrive start` with an interval of 2 s and a threshold of 5 s: a sweep and a sender, on a broker that may be away. */
async function outageBench() {
  const policy = definePolicy({
    ...{ id: 'documents.archives', maxAttempts: 3, jitter: 'none' },
    ...{ baseDelayMs: SECOND, maxDelayMs: SECOND },
  });
  const bench = await sweepBench({ thresholdMs: 5 * SECOND, policy });
  const broker = { isAway: true, published: [] as { id: string; atMs: number }[] };
  const publish = bench.bus.publish.bind(bench.bus);
  bench.bus.publish = async (messages) => {
    if (broker.isAway)
      throw new RedriveError('bus_unavailable', 'connect ECONNREFUSED 127.0.0.1:5672', {});
    for (const { id = '' } of messages) broker.published.push({ id, atMs: bench.clock.now() });
    return publish(messages);
  };
  const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 2 * SECOND };
  const handlers = { [SWEEP_HANDLER]: sweepHandler(parts) };
  const sweeper = workBench(handlers, { store: bench.store, worker: 'w2' }, bench.clock).jobs;
  sweeper.schedule(SWEEP_HANDLER, { handler: SWEEP_HANDLER, everyMs: 2 * SECOND });
  const ids = Array.from({ length: 10 }, (_, n) => `a-${n}`);
  for (const id of ids) bench.put(id);
  const documents = () => ids.map((id) => bench.get(id));
  return { ...bench, broker, parts, sweeper, ids, documents };
}

it('a broker outage of 40 s alone uses up no attempt, and fails no document', async () => {
  const { jobs, sweeper, clock, documents, store, broker } = await outageBench();
  await jobs.start();
  await sweeper.start();
  await clock.advance(40 * SECOND);
  const states = documents().map(({ status, attemptCount }) => [status, attemptCount ?? 0]);
  expect(states).toEqual(documents().map(() => ['pending', 0]));
  const { jobs: sending } = await store.jobs({ handler: 'documents.archives' }, { limit: 100 });
  expect(sending).toHaveLength(10);
  broker.isAway = false;
  await clock.advance(60 * SECOND);
  expect(broker.published.length).toBeGreaterThanOrEqual(10);
});

it('six runs without a worker use up no attempt', async () => {
  const { parts, clock, documents } = await outageBench();
  for (let run = 0; run < 6; run += 1) {
    await runSweeps(parts);
    await clock.advance(61 * SECOND);
  }
  expect(documents().map(({ status, attemptCount }) => [status, attemptCount ?? 0])).toEqual(
    documents().map(() => ['pending', 0]),
  );
});

it('after an outage, attempts of one document are a window apart', async () => {
  const { jobs, sweeper, clock, broker, store } = await outageBench();
  await jobs.start();
  await sweeper.start();
  await clock.advance(38 * SECOND);
  broker.isAway = false;
  await clock.advance(120 * SECOND);
  const times = new Map<string, number[]>();
  for (const { id, atMs } of broker.published) {
    const session = (await store.job(id))?.sessionId ?? '';
    times.set(session, [...(times.get(session) ?? []), atMs]);
  }
  const gaps = [...times.values()].flatMap((all) =>
    all.slice(1).map((at, n) => at - (all[n] ?? 0)),
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5 * SECOND);
});

it('a sending job never dies because its broker is away for 12 hours, while sweeps go on: it is parked under the bus', async () => {
  const { jobs, clock, parts, store, broker, documents } = await outageBench();
  await jobs.start();
  for (let hour = 0; hour < 12; hour += 1) {
    await runSweeps(parts);
    await clock.advance(HOUR);
  }
  const { jobs: sending } = await store.jobs({ handler: 'documents.archives' }, { limit: 100 });
  expect(sending.map(({ state, cause }) => [state, cause])).toEqual(
    documents().map(() => ['parked', 'breaker:main']),
  );
  expect(documents().map(({ attemptCount = 0 }) => attemptCount)).toEqual(documents().map(() => 0));
  broker.isAway = false;
  await clock.advance(5 * 60 * SECOND);
  expect(documents().map(({ attemptCount }) => attemptCount)).toEqual(documents().map(() => 1));
  expect(new Set(broker.published.map(({ id }) => id)).size).toBe(10);
});
