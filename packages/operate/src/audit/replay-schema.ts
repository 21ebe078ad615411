import * as z from 'zod';
import { RECORD } from './record-schema.ts';

const ANSWER = z.object({
  action: z.string().describe('succeed, retry, hand-over, park or give-up'),
  reason: z.string().describe('reason code'),
  delay_ms: z.number().nullable().describe('the wait that follows'),
  entry: z.string().describe('the entry of the attempt in the account'),
});

/** The part of the inputs of `decide` that people ask for. JSON writes no limit as null. */
const INPUT = z.looseObject({
  account: z
    .looseObject({
      charged: z.number().describe('attempts that count, this one included'),
      freeWaits: z.number().describe('waits before it that cost no attempt'),
    })
    .describe('the attempt account'),
  outcome: z
    .looseObject({
      kind: z.string().describe('success, failure, lease_lost, interrupted, blocked or unstarted'),
      errorClass: z.string().optional().describe('of a failure'),
      retryAfterMs: z.number().optional().describe('the wait that the dependency asked for'),
    })
    .describe('of the attempt'),
  timeLeftMs: z.number().nullable().describe('until the deadline; null: it has none'),
  budgetAllows: z.boolean().describe('whether the retry budget had a token'),
  breakerOpenMs: z.number().describe('for how long the breaker stays open'),
});

const POLICY = z.looseObject({
  maxAttempts: z.number().describe('attempts that may count'),
  backoff: z.string().describe('exponential, linear, fixed, immediate or list'),
  jitter: z.string().describe('its kind'),
  baseDelayMs: z.number().describe('the first wait'),
  maxDelayMs: z.number().describe('the longest wait'),
  multiplier: z.number().describe('of an exponential back-off'),
  immediateFirstRetry: z.boolean().describe('whether the first retry is immediate'),
});

const DECISION = z.object({
  policy_hash: z.string().describe('version of the policy'),
  policy_id: z.string().nullable().describe('its name; null: not known'),
  policy: POLICY.nullable().describe('its fields by their names in code; null: not known'),
  decide_version: z.number().describe('version of `decide` that answered'),
  input: INPUT.describe('the input of `decide`'),
  recorded: ANSWER.describe('the answer then'),
  derived: ANSWER.nullable().describe('the answer now; null: it cannot be derived'),
  same: z.boolean().describe('whether both are equal'),
  wait: z
    .object({
      nominalMs: z.number().describe('by the back-off, capped, before jitter'),
      minMs: z.number().describe('the least that jitter can make of it'),
      maxMs: z.number().describe('the most'),
      random: z.number().describe('the random number, from 0 to 1'),
      drawnMs: z.number().describe('the wait that it gave'),
      hintMs: z.number().optional().describe('the wait that the dependency asked for'),
    })
    .nullable()
    .describe('how the wait came about; null: no back-off took part'),
});

/** A session whose decisions were derived again. */
export const REPLAY = z.object({
  session: z.string().describe('its id'),
  same: z.boolean().describe('true: every decision was derived again, with the same answer'),
  omitted: z.number().describe('steps beyond the limit'),
  steps: z
    .array(
      RECORD.extend({
        decision: DECISION.nullable().describe('null: nothing was decided, or a success'),
      }),
    )
    .describe('in the order of their times'),
});
export type ReplayAnswer = z.output<typeof REPLAY>;
