import * as z from 'zod';
import { time } from '../action/scalars.ts';

const ERROR = z.object({
  type: z.string().describe('its type'),
  message: z.string().describe('its message, secrets masked'),
  stack_trace: z.string().optional().describe('where it was thrown, if it is known'),
});

const ATTEMPT = z.object({
  attempt_number: z.number().describe('over all rungs of the session'),
  timestamp: time().describe('when it started'),
  delay: z.number().describe('seconds waited before it'),
  error: ERROR.optional().describe('absent: it succeeded'),
  success: z.boolean().describe('true: it succeeded'),
  duration: z.number().describe('in seconds'),
  context: z.record(z.string(), z.unknown()).readonly().optional().describe('absent in a session'),
  redrive: z
    .record(z.string(), z.unknown())
    .readonly()
    .optional()
    .describe('`rung`, where the session has attempts on several rungs'),
});

/** A session in the shape `session/v1`. */
export const SESSION = z.object({
  session_id: z.string().describe('its id'),
  policy_id: z.string().describe('name of the policy'),
  operation: z.string().describe('the handler'),
  start_time: time().describe('when it began'),
  end_time: time().optional().describe('absent: it runs'),
  attempts: z.array(ATTEMPT).readonly().describe('the oldest first'),
  final_result: z
    .unknown()
    .optional()
    .describe('JSON; absent here: results are the data of the user'),
  final_error: ERROR.optional().describe('the error that it ended with'),
  success: z.boolean().describe('false while it runs'),
  context: z
    .record(z.string(), z.unknown())
    .readonly()
    .optional()
    .describe('subsystem, job_id, queue, generation and, of a job from a source, its origin'),
  total_attempts: z.number().describe('the number of `attempts`'),
  total_duration: z.number().describe('in seconds'),
  retry_count: z.number().describe('attempts after the first'),
  redrive: z
    .object({
      schema_version: z.literal('session/v1').describe('the version of this shape'),
      policy_hash: z.string().describe('version of the policy'),
      reason_code: z.string().optional().describe('why it ended; absent: it runs'),
      omitted_attempts: z.number().describe('attempts that are not in `attempts`'),
    })
    .describe("Redrive's own additions to the shape"),
});
