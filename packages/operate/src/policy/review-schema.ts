import * as z from 'zod';
import { time } from '../action/scalars.ts';

const POLICY = z.string().describe('its name, or the hash of a policy without one');
const CONFIGURED = z
  .boolean()
  .describe('false: it exists in code only, and `GET /v1/policies/:policy` answers 404');
const CODE = z.string().describe('the kind of finding: see policy-findings.md');
const RATE = z.number();

export const REVIEW = z.object({
  reviewed_at: time().nullable().describe('null: the first review is under way'),
  since: time().nullable().describe('attempts from this time on were reviewed'),
  until: time().nullable().describe('attempts before this time were reviewed'),
  policies: z
    .array(
      z.object({
        policy: POLICY,
        category: z.string().nullable().describe('of its sessions; null: they have none'),
        sessions: z.number().describe('sessions'),
        attempts: z.number().describe('attempts of these sessions'),
        success_rate: RATE.describe('share of sessions that succeeded, 0 to 1'),
        average_attempts: RATE.describe('attempts per session'),
        succeeded_at: z
          .array(RATE)
          .describe('share of sessions that succeeded at attempt 1, 2, …, up to 10'),
        configured: CONFIGURED,
      }),
    )
    .describe('one row for each policy and category'),
  findings: z
    .array(
      z.object({
        code: CODE,
        policy: POLICY,
        figure: z.string().describe('the finding in a sentence, with its number'),
        value: z.number().describe('that number'),
        sessions: z.number().describe('sessions that it rests on'),
        examples: z.array(z.string()).describe('names of three of them'),
        next: z.string().describe('what to do next'),
        configured: CONFIGURED,
      }),
    )
    .describe('problems that the attempts show'),
  undecided: z
    .array(
      z.object({
        code: CODE,
        policy: POLICY,
        figure: z.string().describe('what cannot be told, and why'),
        sessions: z.number().describe('sessions of which it cannot be told'),
        configured: CONFIGURED,
      }),
    )
    .describe('findings that the attempts can neither show nor rule out'),
  under_way: z
    .number()
    .nullable()
    .describe('the part of the log that a newer review has read, 0 to 1; null: none is under way'),
});
