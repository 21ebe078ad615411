import type { RateLimit } from '@redrive/durable/control';
import { iso, rateOfName } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

/** The most values that one limit lists. */
const MAX_VALUES = 20;

export const LIMIT = z.object({
  name: z.string().describe('its name, such as handler:mail/tenant/1000ms'),
  handler: z.string().nullable().describe('the handler whose jobs it counts; null: any'),
  queue: z.string().nullable().describe('the queue whose jobs it counts; null: any'),
  by: z
    .enum(['all', 'handler', 'tenant', 'key'])
    .describe('what it counts apart; all: all its jobs together'),
  limit: z.number().describe('starts that it allows in that time'),
  per_ms: z.number().describe('the time, in milliseconds'),
  burst: z.number().describe('starts that may come at once after a pause'),
  declared: z.number().describe('the limit in the code or the file of the workers'),
  set_by: z.string().nullable().describe('who has changed it; null: nobody'),
  set_at: time().nullable().describe('when it was changed; null: it was not'),
  why: z.string().nullable().describe('why it was changed'),
  jobs: z.number().describe('ready jobs that it keeps back; each value is counted up to 10,000'),
  bounded: z.boolean().describe('true: it keeps more jobs back'),
  since: time().nullable().describe('since when jobs wait for it; null: none waits'),
  values: z.number().describe('tenants or keys with jobs that wait'),
  waiting: z
    .array(
      z.object({
        tenant: z.string().nullable().describe('the tenant; null: it is not counted by tenant'),
        key: z.string().nullable().describe('the rate key; null: it is not counted by key'),
        handler: z.string().nullable().describe('the handler, in a queue that counts each apart'),
        jobs: z.number().describe('ready jobs that wait'),
        since: time().describe('since when'),
      }),
    )
    .describe(`those with the most jobs, at most ${MAX_VALUES}`),
});
export type LimitAnswer = z.output<typeof LIMIT>;

export function limitAnswer({ name, limit, burst, set, waiting }: RateLimit): LimitAnswer {
  // Workers declare only names that they have made.
  const { handler = null, queue = null, by, perMs } = rateOfName(name) ?? { by: 'all', perMs: 0 };
  const most = waiting.toSorted((a, b) => b.count - a.count).slice(0, MAX_VALUES);
  const sinceMs = Math.min(...waiting.map((each) => each.sinceMs));
  return {
    ...{ name, handler, queue, by, per_ms: perMs },
    limit: set?.limit ?? limit,
    burst: set?.burst ?? burst,
    declared: limit,
    set_by: set?.by ?? null,
    set_at: set === undefined ? null : iso(set.atMs),
    why: set?.why ?? null,
    jobs: waiting.reduce((sum, { count }) => sum + count, 0),
    bounded: waiting.some(({ bounded }) => bounded),
    since: waiting.length === 0 ? null : iso(sinceMs),
    values: waiting.length,
    waiting: most.map(({ value, count, sinceMs: from }) => {
      const [tenant = '', key = ''] = value.split('\u0001');
      return {
        tenant: by === 'tenant' || by === 'key' ? tenant : null,
        key: by === 'key' ? key : null,
        handler: by === 'handler' ? value : null,
        jobs: count,
        since: iso(from),
      };
    }),
  };
}
