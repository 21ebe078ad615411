import { categoriesOf, subsystemFinder } from '@redrive/config';
import { retryMetrics } from '@redrive/durable/audit';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { invalidInput } from '../action/parse-input.ts';
import { pastMs, pastTime, time } from '../action/scalars.ts';
import { figures } from './figures.ts';

const DAY_MS = 86_400_000;

const SHARE = z.object({
  sessions: z.number().describe('sessions that ended in the window'),
  total_attempts: z.number().describe('attempts of these sessions, the first ones included'),
  success_rate: z
    .number()
    .nullable()
    .describe('the share that succeeded, 0 to 1; null: there are no sessions'),
  average_attempts: z
    .number()
    .nullable()
    .describe('attempts per session; null: there are no sessions'),
});
const shares = (what: string) =>
  z
    .record(z.string(), SHARE)
    .describe(
      `${what}: \`sessions\`, \`total_attempts\`, \`success_rate\` (0 to 1) and \`average_attempts\``,
    );

export const METRICS = {
  figures,

  show: action({
    at: 'GET /v1/metrics',
    summary:
      'sessions, success rate, attempts and durations, by category, policy, subsystem, operation or tenant',
    details:
      'It reads the whole audit log: jobs, and calls in process with an audit sink. Cancelled sessions, and messages that never ran, are left out. A session that was requeued and ended again counts twice. Imported sessions count at their own times; imported metrics count if their whole window is inside and no other session ended in it, without category, operation and tenant. A policy without an id has its hash. A dimension has 1,000 names at most, and `_other` for the rest. Live metrics are at /metrics of a worker.',
    role: 'viewer',
    heavy: true,
    reads: 'metrics',
    input: z.strictObject({
      since: pastTime
        .optional()
        .describe(
          'sessions that ended at this time or later; 2h: within the last 2 hours; default 24h',
        ),
      until: pastTime.optional().describe('sessions that ended before this time; default now'),
    }),
    answer: z.object({
      time_window_start: time().describe('the begin of the window'),
      time_window_end: time().describe('the end of the window'),
      total_sessions: z.number().describe('sessions that ended in the window'),
      successful_sessions: z.number().describe('sessions that succeeded'),
      failed_sessions: z.number().describe('sessions that were given up'),
      total_attempts: z.number().describe('attempts of these sessions, the first ones included'),
      average_attempts_per_session: z
        .number()
        .describe('attempts per session; 0: there are no sessions'),
      max_attempts_in_session: z.number().describe('the most attempts of one session'),
      total_duration: z
        .number()
        .describe('seconds from the submission of each session to its end, added up'),
      average_duration_per_session: z.number().describe('in seconds'),
      by_policy: shares('of each policy, by its id'),
      by_subsystem: shares(
        "of each subsystem of `subsystem_mappings`, or the part of the operation's name before a dot",
      ),
      by_category: shares(
        'of each category, without sessions too (rates are `null` then); `""`: sessions without a category',
      ),
      by_operation: shares('of each operation or handler'),
      by_tenant: shares('of each tenant; `""`: sessions without a tenant'),
      imported: z
        .object({
          sessions: z.number().describe('imported sessions'),
          windows: z.number().describe('imported metrics of time windows'),
          window_sessions: z.number().describe('the sessions of these windows'),
          windows_left_out: z
            .number()
            .describe('windows that are not wholly inside, or have sessions of their own'),
        })
        .describe('what is imported'),
    }),
    run: async ({ store, clock, signal, config }, { since, until }) => {
      const nowMs = clock.now();
      const untilMs = pastMs(until, nowMs) ?? nowMs;
      const sinceMs = pastMs(since, nowMs) ?? untilMs - DAY_MS;
      if (sinceMs >= untilMs) {
        throw invalidInput([{ field: 'since', message: 'must be before --until.' }]);
      }
      const inForce = await config();
      const names = { subsystemOf: subsystemFinder(inForce), categories: categoriesOf(inForce) };
      return retryMetrics(store, { sinceMs, untilMs, signal, ...names });
    },
  }),
};
