import { commandText } from '@redrive/core/fields';
import { type DeadFilter, type DeadGroup, messageParts } from '@redrive/durable/dead-letters';
import { type DeadLetterStore, iso } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { diedAgain } from './letter-answer.ts';

/** A cause, with facts about its newest letters. */
export const GROUP = z.object({
  fingerprint: z.string().describe('for --group'),
  pattern: z.string().describe('the error text, without the parts that differ from case to case'),
  count: z.number().describe('dead letters, up to the counting limit'),
  bounded: z.boolean().describe('true: there are more'),
  first_died_at: time().describe('the first death'),
  last_died_at: time().describe('the newest death'),
  newest_id: z.string().describe('id of the letter that died last'),
  handlers: z.array(z.string()).describe('handlers of its newest letters, by name'),
  reason_codes: z.array(z.string()).describe('reason codes of these letters'),
  sampled: z.number().describe('its newest letters that were looked at'),
  came_back: z.number().describe('of these, letters that were requeued and died again'),
  trend: z
    .array(z.number())
    .describe('deaths of these letters in each of the last 24 hours, the oldest first'),
  last_message: z
    .array(
      z.object({
        text: z.string().describe('a part, secrets masked'),
        varies: z
          .boolean()
          .describe('true: it differs from case to case, and the cause ignores it'),
      }),
    )
    .describe('the message of the newest letter, in parts; empty: there is none'),
  next: z.string().describe('the next command to type'),
});
export type GroupAnswer = z.output<typeof GROUP>;

/** Letters that are looked at for all causes of a page, at most. */
const SAMPLE = 1_000;
const MAX_PER_CAUSE = 500;
const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Looks at the newest letters of each cause: their handlers, when they died, and whether a requeue helped. */
export async function groupAnswers(
  store: Pick<DeadLetterStore, 'deadLetters'>,
  filter: DeadFilter,
  groups: readonly DeadGroup[],
  nowMs: number,
): Promise<GroupAnswer[]> {
  const limit = Math.min(MAX_PER_CAUSE, Math.floor(SAMPLE / Math.max(1, groups.length)));
  return Promise.all(
    groups.map(async (group) => {
      const { fingerprint, pattern, count, bounded, newestId } = group;
      const { jobs } = await store.deadLetters({ ...filter, fingerprint }, { limit });
      const trend = Array.from({ length: HOURS }, () => 0);
      for (const { finishedAtMs = 0 } of jobs) {
        const hour = HOURS - 1 - Math.floor((nowMs - finishedAtMs) / HOUR_MS);
        if (trend[hour] !== undefined) trend[hour] += 1;
      }
      // As it is stored: secrets are masked.
      const last = jobs.find(({ lastError }) => lastError !== undefined)?.lastError;
      return {
        ...{ fingerprint, pattern, count, bounded },
        first_died_at: iso(group.firstDiedAtMs),
        last_died_at: iso(group.lastDiedAtMs),
        newest_id: newestId,
        handlers: [...new Set(jobs.map(({ handler }) => handler))].sort(),
        reason_codes: [...new Set(jobs.flatMap(({ reason }) => reason ?? []))].sort(),
        sampled: jobs.length,
        came_back: jobs.filter(diedAgain).length,
        trend,
        last_message: last ? [...messageParts(last.message)] : [],
        next: commandText`redrive dlq show ${newestId}`,
      };
    }),
  );
}
