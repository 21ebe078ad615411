import { expect, it } from 'vitest';
import { schedules } from '../control/schedules.ts';
import { MINUTE, sweepBench } from '../testing/sweep-bench.ts';
import { workBench } from '../testing/work-bench.ts';
import { SWEEP_HANDLER, sweepSchedule } from './sweep-numbers.ts';
import { runSweeps, sweepHandler } from './sweep-run.ts';

/** A worker that starts seven minutes after a tick, with a sweep every 15 minutes. */
async function firstBench() {
  const bench = await sweepBench();
  await bench.clock.advance(7 * MINUTE);
  const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 15 * MINUTE };
  const worker = (intervalMs = 15 * MINUTE) => {
    const handlers = { [SWEEP_HANDLER]: sweepHandler({ ...parts, intervalMs }) };
    const { jobs } = workBench(handlers, { store: bench.store, worker: 'w2' }, bench.clock);
    jobs.schedule(SWEEP_HANDLER, sweepSchedule(intervalMs));
    return jobs;
  };
  const runs = async () => {
    const { schedules: all } = await schedules(bench.store);
    return all[0]?.totals['retry_job_runs_total{success}'] ?? 0;
  };
  return { ...bench, worker, runs, sweepByHand: () => runSweeps(parts) };
}

it('the first sweep begins within a minute of the start, and the next one at its tick', async () => {
  const { clock, worker, runs } = await firstBench();
  await worker().start();
  await clock.advance(MINUTE);
  expect(await runs()).toBe(1);
  await clock.advance(6 * MINUTE);
  expect(await runs()).toBe(1);
  await clock.advance(2 * MINUTE);
  expect(await runs()).toBe(2);
});

it('two workers that start at once sweep once', async () => {
  const { clock, worker, runs } = await firstBench();
  await Promise.all([worker().start(), worker().start()]);
  await clock.advance(2 * MINUTE);
  expect(await runs()).toBe(1);
});

it('a worker does not sweep at its start if another process swept within the interval', async () => {
  const { clock, worker, runs, sweepByHand } = await firstBench();
  for (let hour = 0; hour < 3; hour += 1) {
    await sweepByHand();
    await clock.advance(60 * MINUTE);
  }
  await sweepByHand();
  await clock.advance(7 * MINUTE);
  await worker().start();
  await clock.advance(MINUTE / 2);
  expect(await runs()).toBe(4);
  await clock.advance(MINUTE);
  expect(await runs()).toBe(5);
});

it('a worker sweeps at its start if the last sweep by hand is longer ago than the interval', async () => {
  const { clock, worker, runs, sweepByHand } = await firstBench();
  await sweepByHand();
  await clock.advance(16 * MINUTE);
  await worker().start();
  await clock.advance(MINUTE);
  expect(await runs()).toBe(2);
});

it('a shorter interval counts from the last sweep', async () => {
  const { clock, worker, runs } = await firstBench();
  const slow = worker(60 * MINUTE);
  await slow.start();
  await clock.advance(MINUTE);
  await slow.stop();
  await clock.advance(16 * MINUTE);
  await worker().start();
  await clock.advance(MINUTE);
  expect(await runs()).toBe(2);
});
