import { pauses, pauseWork, resumeWork } from '@redrive/durable/control';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { nameText } from '../action/scalars.ts';
import { knownSchedule } from '../schedule/known-schedule.ts';
import { PAUSES, pauseAnswer, QUEUE, queueAnswers } from './queue-answer.ts';
import { warnOfStranger } from './warn-of-stranger.ts';

const TARGET = z.strictObject({
  scope: z.enum(['queue', 'handler', 'schedule']).describe('a queue, a handler or a schedule'),
  name: nameText().describe('its name'),
});
const CHANGED = z.object({
  scope: z.enum(['queue', 'handler', 'schedule']).describe('a queue, a handler or a schedule'),
  name: z.string().describe('its name'),
  paused: z.boolean().describe('whether it is paused now'),
  changed: z.boolean().describe('false: it was in that state already, or a dry run'),
});

export const QUEUES = {
  list: action({
    at: 'GET /v1/queues',
    summary: 'list the queues that have jobs or are paused',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({
      queues: z.array(QUEUE).describe('by name'),
      bounded: z.boolean().describe('true: counting stopped, and there are more'),
      paused: PAUSES,
    }),
    run: async ({ store, asOf }) => {
      const [counts, paused] = await Promise.all([store.counts(), pauses(store)]);
      asOf(counts.nowMs);
      const queues = queueAnswers(counts, paused);
      return { queues, bounded: counts.bounded, paused: paused.map(pauseAnswer) };
    },
  }),

  pause: act({
    at: 'POST /v1/pauses/pause',
    summary: 'pause a queue, a handler or a schedule: none of its jobs is started',
    details: 'Running jobs finish. New jobs can be enqueued, and wait.',
    role: 'operator',
    refusals: { no_match: 'there is no such schedule' },
    input: TARGET,
    answer: CHANGED,
    run: (context, input) => change(context, input, true),
  }),

  resume: act({
    at: 'POST /v1/pauses/resume',
    summary: 'resume a paused queue, handler or schedule',
    details: 'Workers are notified at once.',
    role: 'operator',
    refusals: { no_match: 'there is no such schedule' },
    input: TARGET,
    answer: CHANGED,
    run: (context, input) => change(context, input, false),
  }),
};

type Wish = z.output<typeof TARGET> & { readonly dry_run: boolean };

async function change(context: Context, { scope, name, dry_run }: Wish, paused: boolean) {
  const { store, actor } = context;
  if (scope === 'schedule') await knownSchedule(context, name);
  if (dry_run) {
    const was = (await pauses(store)).some((each) => each.scope === scope && each.name === name);
    return { scope, name, paused: was, changed: false };
  }
  const { changed } = await (paused ? pauseWork : resumeWork)(store, { scope, name, actor });
  if (changed && paused && scope !== 'schedule') {
    warnOfStranger(context, await store.counts(), scope, name);
  }
  return { scope, name, paused, changed };
}
