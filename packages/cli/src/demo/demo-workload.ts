import type { Clock } from '@redrive/core';
import type { Jobs } from '@redrive/durable';
import type { LoadedHandlers } from '../start/load-handlers.ts';
import type { DemoHandler } from './demo-handlers.ts';

/** A job of the demo. */
type DemoJob = readonly [handler: DemoHandler, payload: unknown];

const NAMES = ['ada', 'alan', 'edsger', 'grace', 'barbara', 'donald', 'tony', 'leslie'];
const MONTHS = ['January', 'February', 'March', 'April'];

/** The nth job of an endless row: mostly what works in the end, now and then what does not. */
function demoJob(n: number): DemoJob {
  const name = NAMES[n % NAMES.length] ?? 'ada';
  if (n % 12 === 5) return ['import', { rows: 100 + n }];
  if (n % 12 === 9) return ['report', { month: MONTHS[n % MONTHS.length] }];
  if (n % 3 === 0) return ['payment', { amount: 10 + n }];
  if (n % 3 === 1) return ['mail', { to: `${name}@example.org`, failures: (n % 4) % 3 }];
  return ['search', { words: `papers by ${name}` }];
}

/** What there is to do when the demo starts. */
const FIRST_JOBS = 24;
/** Afterwards one comes in this time, as long as somebody watches. */
const EVERY_MS = 700;

/** Enqueues the first jobs. */
export async function enqueueFirst(jobs: Jobs<LoadedHandlers>): Promise<void> {
  for (let n = 0; n < FIRST_JOBS; n++) await jobs.enqueue(...demoJob(n));
}

/** Goes on to enqueue jobs. Answers how to stop. */
export function keepEnqueueing(jobs: Jobs<LoadedHandlers>, clock: Clock): () => void {
  let n = FIRST_JOBS;
  let stopped = false;
  let timer = clock.setTimer(EVERY_MS, next);

  function next(): void {
    // A store that is away for a moment is the worker's to report; the demo goes on with the next job.
    void jobs
      .enqueue(...demoJob(n++))
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) timer = clock.setTimer(EVERY_MS, next);
      });
  }

  return () => {
    stopped = true;
    timer.cancel();
  };
}
