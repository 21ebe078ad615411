import { saltedSessions } from '@redrive/durable/store';
import * as z from 'zod';
import { stream } from '../action/action.ts';
import { invalidInput } from '../action/parse-input.ts';
import { nameText, pastMs, pastTime, time } from '../action/scalars.ts';

const WEEK_MS = 604_800_000;
const TEXT = z.string().optional();
const NUMBER = z.number().optional();

/** A line of recording/v1: the first one is its head, each other one an attempt. */
const LINE = z.object({
  recording: z.literal('recording/v1').optional().describe('of the head: the version'),
  since: time().optional().describe('of the head: attempts ended at this time or later'),
  until: time().optional().describe('of the head: attempts ended before this time'),
  dependency: TEXT.describe('a handler without a dependency is its own'),
  handler: TEXT.describe('the handler or the operation'),
  category: TEXT.describe('absent: it has none'),
  policy: TEXT.describe('name of the policy'),
  policy_hash: TEXT.describe('version of the policy'),
  rung: TEXT.describe('call, event, job or document'),
  session: TEXT.describe('a salted hash: it leads back to no job'),
  generation: NUMBER.describe('a requeue starts the next one'),
  attempt: NUMBER.describe('over all generations and rungs of the session, from 1'),
  start_ms: NUMBER.describe("Unix time in ms; absent: a job's success"),
  end_ms: NUMBER.describe('Unix time in ms'),
  outcome: z
    .enum(['succeeded', 'failed', 'lost', 'not_run'])
    .optional()
    .describe('its result; lost: with its lease; not_run: a probe that did not begin'),
  class: TEXT.describe('error class'),
  type: TEXT.describe('type of the error'),
  hint_ms: NUMBER.describe('the wait that the dependency asked for'),
  probe: z.boolean().optional().describe('whether it was the probe of a breaker'),
  action: TEXT.describe('the decision: succeed, retry, hand-over, park or give-up'),
  reason: TEXT.describe('reason code of the decision'),
  delay_ms: NUMBER.describe('the wait that follows'),
});

export const LAB = {
  // Not for a tenant: the attempts are those of all tenants.
  recording: stream({
    at: 'GET /v1/recording',
    summary: 'the attempts of a time window as a recording (recording/v1); since: 7 days ago',
    role: 'viewer',
    heavy: true,
    dense: true,
    reads: 'sessions',
    exports: true,
    input: z.strictObject({
      since: pastTime.optional().describe('attempts that ended at this time or later; default 7d'),
      until: pastTime.optional().describe('attempts that ended before this time; default now'),
      dependency: nameText().optional().describe('attempts at this dependency only'),
    }),
    answer: LINE,
    stream: async function* ({ store, clock, config, signal }, { since, until, dependency }) {
      const nowMs = clock.now();
      const untilMs = pastMs(until, nowMs) ?? nowMs;
      const sinceMs = pastMs(since, nowMs) ?? untilMs - WEEK_MS;
      if (sinceMs >= untilMs) {
        throw invalidInput([{ field: 'since', message: 'must be before --until.' }]);
      }
      const [{ headLine, recordedDocument }, { attemptsRecorded }] = await Promise.all([
        import('@redrive/lab'),
        import('./recorded.ts'),
      ]);
      const reading = { store, clock, config: await config() };
      const hashed = saltedSessions();
      yield JSON.parse(headLine(sinceMs, untilMs));
      for await (const one of attemptsRecorded(reading, { sinceMs, untilMs }, { signal })) {
        if (dependency !== undefined && one.dependency !== dependency) continue;
        yield recordedDocument({ ...one, session: hashed(one.session) });
      }
    },
  }),
};
