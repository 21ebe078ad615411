import * as z from 'zod';
import { anything, time } from '../action/scalars.ts';
import { ATTEMPT, JOB_FACTS } from '../job/job-schema.ts';
import { COUNT } from './letter-answer.ts';

/** How payload and headers are shown. */
export const SHOWN = z
  .enum(['none', 'redacted', 'full'])
  .default('redacted')
  .describe('payload and headers: none, redacted (secrets masked, cut) or full; default redacted');

/** The attempts of an envelope have a fixed shape. */
const ENVELOPE_ATTEMPT = ATTEMPT.pick({
  attempt_number: true,
  generation: true,
  rung: true,
  timestamp: true,
  delay: true,
  duration: true,
  entry: true,
  error_class: true,
  reason: true,
  next_delay: true,
}).extend({ error: JOB_FACTS.shape.last_error.describe('sanitised; null: it succeeded') });

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
  attempts: z
    .array(ENVELOPE_ATTEMPT)
    .describe('the first attempt and the newest ones, the oldest first'),
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

const TEXT = z
  .object({
    text: z.string().describe('its first 64 KiB'),
    characters: z.number().describe('of the whole text'),
  })
  .nullable();

/** A dead letter with its facts. */
export const SHOWN_LETTER = LETTER.extend({
  state: z.enum(['dead', 'purged']).describe('purged: deleted, and can still be restored'),
  came_back: z.boolean().describe('true: it was requeued, and died again'),
  same_cause: z.object(COUNT).describe('dead letters of the same cause, itself included'),
  payload_text: TEXT.describe(
    'the payload as text, with all digits of its numbers; null: it is not shown',
  ),
  earlier_payloads: z
    .array(
      z.object({
        generation: z.number().describe('attempts that ran with it'),
        replaced_at: time().describe('when it was replaced'),
        by: z.string().describe('who replaced it'),
        payload: anything().describe('shown as the payload is'),
        payload_text: TEXT.describe('the same as text'),
      }),
    )
    .describe('those that edits have replaced, the oldest first'),
  job: JOB_FACTS.omit({
    headers: true,
    payload: true,
    result: true,
    result_omitted_bytes: true,
  }).describe('the job that died'),
});
