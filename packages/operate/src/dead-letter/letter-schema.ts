import * as z from 'zod';
import { anything, time } from '../action/scalars.ts';

/** How payload and headers are shown. */
export const SHOWN = z
  .enum(['none', 'redacted', 'full'])
  .default('redacted')
  .describe('payload and headers: none, redacted (secrets masked, cut) or full; default redacted');

const ATTEMPT = z.object({
  attempt_number: z.number().describe('in its generation, from 1, over all rungs'),
  generation: z.number().describe('its generation'),
  rung: z.string().describe('where it ran: call, event, job or document'),
  timestamp: time().describe('when it started'),
  delay: z.number().describe('the wait before it, in seconds'),
  duration: z.number().describe('in seconds'),
  entry: z.string().describe('whether the attempt counts: its entry in the attempt account'),
  error_class: z.string().nullable().describe('final, retryable or rate_limited'),
  error: z
    .object({
      type: z.string().describe('its type'),
      message: z.string().describe('its message'),
    })
    .nullable()
    .describe('sanitised; null: it succeeded'),
  reason: z.string().describe('the reason code of its decision'),
  next_delay: z.number().nullable().describe('the wait that followed, in seconds'),
});

/** Facts that Redrive adds to the eight fields. */
const ADDITIONS = z.object({
  schema_version: z.literal('dead-letter/v1').describe('version of this part'),
  id: z.string().describe('id of the dead letter'),
  session_id: z.string().describe('the session'),
  correlation_id: z.string().describe('as given, else the session'),
  trace_id: z.string().nullable().describe('as given'),
  reason_code: z.string().nullable().describe('why it was given up, in detail'),
  metric_reason: z
    .enum(['max_attempts', 'ttl_exceeded', 'non_retryable'])
    .describe('the label of the metric that counts dead letters'),
  error_class: z.string().nullable().describe('final, retryable or rate_limited'),
  fingerprint: z.string().describe('the cause: the same for all letters of a group'),
  pattern: z.string().describe('its error text, without the parts that differ'),
  origin: z
    .object({
      rung: z.string().describe('call, event, job or document'),
      bus: z.string().nullable().describe('the bus it came from'),
      queue: z.string().describe('the queue'),
      handler: z.string().describe('the handler'),
      tenant: z.string().nullable().describe('the tenant'),
    })
    .describe('where it came from'),
  policy: z
    .object({
      id: z.string().nullable().describe('name of the policy'),
      hash: z.string().describe('the version of the policy'),
      max_attempts: z.number().describe('of that version'),
    })
    .nullable()
    .describe('of the newest attempt; null: there was none'),
  generation: z.number().describe('from 1; each requeue increments it'),
  executions: z.number().describe('attempts of all generations and rungs'),
  submitted_at: time().describe('when it was enqueued'),
  first_failed_at: time().nullable().describe('the first failure that is kept'),
  deadline: time().nullable().describe('no attempt started after it'),
  attempts: z.array(ATTEMPT).describe('the first attempt and the newest ones, the oldest first'),
  omitted_attempts: z.number().describe('attempts that are not in the list'),
  payload: z
    .object({
      shown: z.enum(['none', 'redacted', 'full']).describe('how it is shown'),
      kind: z.enum(['json', 'bytes']).describe('a binary payload is shown in base64'),
      bytes: z.number().describe('its size'),
    })
    .describe('how the payload is shown'),
  headers: anything().describe('shown as the payload is'),
  send_back: z
    .object({
      id: z.string().describe('id of the dead letter'),
      generation: z.number().describe('it must still be in this generation'),
      command: z.string().describe('the command line'),
    })
    .describe('the command that requeues it'),
});

/** The envelope of `docs/reference/dead-letters.md`. */
export const LETTER = z.object({
  original_event: anything().describe(
    'the payload: masked and cut, unless --payload says otherwise',
  ),
  idempotency_key: z.string().describe('the key that the handler passed on'),
  attempt_count: z.number().describe('charged attempts of this generation, over all rungs'),
  last_error: z.string().describe('type and message of the newest error'),
  error_type: z.string().describe('its type'),
  abandoned_reason: z
    .enum(['max_attempts_exceeded', 'ttl_exceeded', 'non_retryable'])
    .describe('why it was given up'),
  service_name: z.string().describe("the first part of the handler's name"),
  timestamp: time().describe('when it was given up'),
  redrive: ADDITIONS.describe('further fields: see [dead letters](dead-letters.md#the-envelope)'),
});
