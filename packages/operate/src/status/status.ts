import { readStatus } from '@redrive/durable/store';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { STATUS as ANSWER, statusAnswer } from './status-answer.ts';

export const STATUS = {
  show: action({
    at: 'GET /v1/status',
    summary: 'show which jobs are failing now, since when, why, how many, and what to do',
    details:
      'The first line is the verdict: everything is fine, or the most urgent problem. Then it lists the causes of failures (jobs that will be tried again, parked jobs and dead letters of the last hour together), stopped queues, handlers and dependencies, workers and queues. It reads the store itself, so it works without a running `redrive start`. In very large stores counting stops at a limit, and the output says so.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: ANSWER,
    run: async ({ store, asOf }) => {
      const status = await readStatus(store);
      asOf(status.counts.nowMs);
      return statusAnswer(status);
    },
  }),
};
