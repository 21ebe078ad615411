import * as z from 'zod';
import { action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { time } from '../action/scalars.ts';

const HOUR_MS = 3_600_000;
const PER_MINUTE = z.array(z.number());
const COUNT = z.number();
const SECONDS = z.number().nullable();

export const FIGURES = z.object({
  rebuilt: z
    .boolean()
    .describe('false: the log of the last 24 hours is still read, the newest part first'),
  progress: z.number().describe('the part of the 24 hours that is read, 0 to 1'),
  since: time().describe('the figures are complete from this time on'),
  from: time().describe('start of the first minute; the last minute is not over yet'),
  first_try: PER_MINUTE.describe('jobs per minute that succeeded with their first attempt'),
  recovered: PER_MINUTE.describe('jobs per minute that succeeded after retries'),
  dead: PER_MINUTE.describe('new dead letters per minute'),
  retries: PER_MINUTE.describe('attempts per minute that failed and are followed by another one'),
  p50: z
    .array(z.number().nullable())
    .describe('median time to success of each minute in seconds; null: no job succeeded'),
  total: z
    .object({
      first_try: COUNT.describe('jobs that succeeded with their first attempt'),
      recovered: COUNT.describe('jobs that succeeded after retries'),
      dead: COUNT.describe('new dead letters'),
      retries: COUNT.describe('attempts that failed and are followed by another one'),
      retry_ratio: z
        .number()
        .nullable()
        .describe('retries per finished job; null: no job finished'),
    })
    .describe('of the window'),
  time_to_success: z
    .object({
      samples: COUNT.describe('jobs whose submission is known'),
      p50: SECONDS.describe('the median'),
      p95: SECONDS.describe('the 95th percentile'),
      p99: SECONDS.describe('the 99th percentile'),
    })
    .describe('seconds from submission to success; null: no job succeeded'),
  queues: z
    .array(
      z.object({
        queue: z.string().describe('its name'),
        succeeded: PER_MINUTE.describe('successes in each of the last 30 minutes'),
      }),
    )
    .describe('at most 50 queues, where the submission of the job is known'),
});

export const figures = action({
  at: 'GET /v1/figures',
  summary:
    'jobs per minute by result, retry ratio and time to success of the last 1, 2, 6 or 24 hours; from memory',
  details: 'Only a server has them, because it follows the audit log.',
  role: 'viewer',
  reads: 'metrics',
  refusals: { refused: 'it was not asked of a server' },
  input: z.strictObject({
    window: z
      .enum(['1h', '2h', '6h', '24h'])
      .default('2h')
      .describe('how far back, the present minute included'),
  }),
  answer: FIGURES,
  run: async ({ server }, { window }) => {
    if (server === undefined) throw new Refusal('refused', 'Only a server has these figures.');
    return server.figures(Number.parseInt(window, 10) * HOUR_MS);
  },
});
