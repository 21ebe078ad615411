import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type HandlerSettings, parseConfig } from '@redrive/config';
import type { Clock } from '@redrive/core';
import { final, type Handlers, type JobContext, type Jobs, retryAfter } from '@redrive/durable';
import { handlerOptions, type LoadedHandlers } from '../start/load-handlers.ts';

/** The demo's configuration, as in a `redrive.yaml`: short delays, so that there is something to see. */
const TEXT = `version: "1.1.0"
policies:
  demo.mail:
    name: Mails
    max_attempts: 5
    backoff_type: exponential
    base_delay: 0.5
    max_delay: 4
    jitter_type: full
    jitter_amount: 1
  demo.payment:
    name: Payments
    extends: demo.mail
    max_attempts: 8
    enable_circuit_breaker: true
    circuit_breaker_threshold: 3
    circuit_breaker_timeout: 1.5
  demo.report:
    name: Reports
    extends: demo.mail
    max_attempts: 3
breakers:
  bank: { probe_timeout: 1 }
jobs:
  lease_seconds: 10
  concurrency: 8
  retention: { succeeded: 600, cancelled: 600, dead: 3600, purged: 600 }
  handlers:
    mail: { policy: demo.mail, idempotent: true }
    payment: { policy: demo.payment, dependency: bank, concurrency: 3, idempotent: true }
    search: { policy: demo.mail, dependency: search-api, idempotent: true }
    report: { policy: demo.report, idempotent: true }
    import: { policy: demo.report, idempotent: true }
`;

/** The configuration of the demo. */
export function demoConfig(): Config {
  const { config, problems } = parseConfig(TEXT, { file: 'the demo' });
  if (config === undefined) throw new Error(`The demo is broken: ${JSON.stringify(problems)}`);
  return config;
}

/** Imports need this file, and it does not exist at first: something to fix. */
export const MISSING_FILE = 'redrive-demo.csv';

/** The bank is down for a while, again and again. */
const CYCLE_MS = 20_000;
const DOWN_FROM_MS = 150;
const DOWN_FOR_MS = 4_000;
/** The search service takes one request in this time. */
const SEARCH_EVERY_MS = 400;
const SEARCH_RETRY_AFTER_MS = 1_200;

/** The subject of each handler, for the summary: short enough for a terminal of 80 columns. */
export const DEMO_HANDLERS = {
  mail: 'fails once or twice, then works',
  payment: 'bank down: breaker opens, jobs parked',
  search: 'answers 429: waits cost no attempt',
  report: 'always fails: dead after 3 attempts',
  import: `dead until ${MISSING_FILE} exists`,
} as const;

export type DemoHandler = keyof typeof DEMO_HANDLERS;

/** Handlers in this process whose dependencies fail on a schedule. */
export function demoHandlers(
  clock: Clock,
  directory: string,
  settings: ReadonlyMap<string, HandlerSettings>,
): LoadedHandlers {
  const loaded = Object.entries(flakyWork(clock, directory)).map(([name, run]) => {
    const own = settings.get(name);
    return [name, { run, ...(own === undefined ? {} : handlerOptions(own)) }];
  });
  return Object.fromEntries(loaded);
}

function flakyWork(clock: Clock, directory: string): Handlers {
  const startMs = clock.monotonic();
  let nextSearchMs = startMs;

  return {
    mail: async ({ to, failures }: { to: string; failures: number }, context) => {
      await work(clock, context, 150);
      if (context.attempt <= failures) throw new Error('connection reset by mail.example.org');
      return { delivered_to: to };
    },
    payment: async ({ amount }: { amount: number }, context) => {
      await work(clock, context, 100);
      const atMs = (clock.monotonic() - startMs) % CYCLE_MS;
      if (atMs >= DOWN_FROM_MS && atMs < DOWN_FROM_MS + DOWN_FOR_MS) {
        throw Object.assign(new Error('bank.example.org refuses connections'), {
          code: 'ECONNREFUSED',
        });
      }
      return { charged: amount };
    },
    search: async ({ words }: { words: string }, context) => {
      await work(clock, context, 50);
      const nowMs = clock.monotonic();
      if (nowMs < nextSearchMs) return retryAfter(SEARCH_RETRY_AFTER_MS, '429 Too Many Requests');
      nextSearchMs = nowMs + SEARCH_EVERY_MS;
      return { indexed: words };
    },
    report: async ({ month }: { month: string }, context) => {
      await work(clock, context, 200);
      throw new Error(`the figures of ${month} do not add up`);
    },
    import: async ({ rows }: { rows: number }, context) => {
      await work(clock, context, 50);
      return existsSync(join(directory, MISSING_FILE))
        ? { imported: rows }
        : final(`${MISSING_FILE} does not exist: create it and requeue this job`);
    },
  };
}

/** Takes its time, unless its signal aborts. */
function work(clock: Clock, { signal }: JobContext, durationMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.setTimer(durationMs, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    signal.addEventListener('abort', end, { once: true });
  });
}

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

/** The jobs that exist when the demo starts. */
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
