import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerSettings } from '@redrive/config';
import type { Clock } from '@redrive/core';
import { final, type Handlers, type JobContext, retryAfter } from '@redrive/durable';
import { handlerOptions, type LoadedHandlers } from '../start/load-handlers.ts';

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

/** Takes its time, unless it is told to stop. */
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
