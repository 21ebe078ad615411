import { listWorkers } from '@redrive/durable';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { flag, NEXT, PAGE } from '../action/scalars.ts';
import { WORKER, workerAnswer } from './worker-answer.ts';

export const WORKERS = {
  list: action({
    at: 'GET /v1/workers',
    summary: 'list the live workers: handlers, concurrency, running jobs, last seen',
    details:
      'Every worker, of "redrive start" or inside an application, reports to the store every 10 seconds. A worker whose last report is older than 25 seconds is shown as silent; a worker that has not reported for a minute is gone: it crashed, or cannot reach the store. A worker that stops normally leaves the list at once.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({
      ...PAGE,
      all: flag.default(false).describe('include workers that are gone, for a day'),
    }),
    answer: z.object({
      workers: z.array(WORKER).describe('by name'),
      only_gone: z
        .boolean()
        .describe('true: the list is empty, and there are workers that are gone'),
      next: NEXT,
    }),
    run: async ({ store, asOf }, input) => {
      const { nowMs, workers, next } = await listWorkers(store, input);
      asOf(nowMs);
      const gone =
        workers.length > 0 ? [] : (await listWorkers(store, { limit: 1, all: true })).workers;
      return {
        workers: workers.map(workerAnswer),
        only_gone: gone.length > 0,
        next: next ?? null,
      };
    },
  }),
};
