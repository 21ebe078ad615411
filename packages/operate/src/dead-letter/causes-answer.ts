import { commandText } from '@redrive/core/fields';
import { type CauseSamples, rankCauses, suggestionFor } from '@redrive/durable/dead-letters';
import { isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { COUNT } from './letter-answer.ts';

const SIDES = z.object({
  with: z.number().describe('with this value, or both'),
  without: z.number().describe('the others'),
});

const GROUP = z.object({
  fingerprint: z.string().describe('for --group'),
  pattern: z.string().describe('the error text, without the parts that differ from case to case'),
  count: z.number().describe('dead letters'),
  compared: z.number().describe('of these, letters that were compared'),
  causes: z
    .array(
      z.object({
        values: z
          .array(
            z.object({
              dimension: z
                .string()
                .describe(
                  'handler, queue, tenant, collection, worker, policy_version, payload_kind or hour',
                ),
              value: z.string().describe('the value'),
            }),
          )
          .describe('one value, or a pair'),
        letters: SIDES.describe('dead letters of the group'),
        succeeded: SIDES.describe('succeeded jobs'),
        g: z.number().describe('the G statistic of these four counts'),
        score: z.number().describe('g, less 6 for a pair'),
      }),
    )
    .describe('at most 3, the best first; empty: nothing sets the group apart'),
  suggestion: z.string().nullable().describe('what to look at first'),
  next: z.string().describe('the next command to type'),
});

export const COMPARED = z.object({
  looked_at: z
    .object({
      letters: z.object(COUNT).describe('the newest ones'),
      succeeded: z
        .object({
          count: z.number().describe('jobs'),
          bounded: z
            .boolean()
            .describe(
              'true: there are more, so only jobs of some minutes of the window are compared',
            ),
        })
        .describe('jobs that succeeded'),
    })
    .describe('how many jobs were compared'),
  window: z
    .object({
      from: time().nullable().describe('its beginning; null: no dead letter matches'),
      to: time().nullable().describe('its end'),
    })
    .describe('the jobs were submitted in this time'),
  groups: z.array(GROUP).describe('the largest first'),
  more_groups: z.number().describe('smaller groups that are left out'),
});
export type ComparedAnswer = z.output<typeof COMPARED>;

/** The largest groups first, each with the causes that set it apart. */
export function comparedAnswer(samples: CauseSamples, limit: number): ComparedAnswer {
  const { succeeded, moreLetters, moreSucceeded, fromMs, toMs } = samples;
  const all = [...samples.groups].map(([fingerprint, group]) => ({ fingerprint, ...group }));
  const rankings = rankCauses(
    all.map(({ letters }) => letters),
    succeeded,
  );
  const groups = all
    .map((group, at) => ({ ...group, causes: rankings[at] ?? [] }))
    .sort((one, other) => other.count - one.count)
    .slice(0, limit);
  const letters = all.reduce((sum, { count }) => sum + count, 0);
  return {
    looked_at: {
      letters: { count: letters, bounded: moreLetters },
      succeeded: { count: succeeded.length, bounded: moreSucceeded },
    },
    window: {
      from: letters === 0 ? null : isoTime(fromMs),
      to: letters === 0 ? null : isoTime(toMs),
    },
    groups: groups.map(({ fingerprint, pattern, count, letters: compared, causes }) => ({
      ...{ fingerprint, pattern, count },
      compared: compared.length,
      causes: causes.map(({ values, failed, succeeded: others, g, score }) => ({
        values: values.map(({ dimension, value }) => ({ dimension, value })),
        letters: { with: failed.with, without: failed.without },
        succeeded: { with: others.with, without: others.without },
        g: rounded(g),
        score: rounded(score),
      })),
      suggestion: causes[0] ? suggestionFor(causes[0], pattern) : null,
      next: commandText`redrive dlq list --group ${fingerprint}`,
    })),
    more_groups: all.length - groups.length,
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
