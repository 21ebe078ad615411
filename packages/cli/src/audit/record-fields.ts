import type { RecordFormat, RenderedEvent } from '@redrive/durable/store';
import { under } from '../command/json-fields.ts';

/** The fields of `recordDocument`, under `at`. */
const RECORD_FIELDS = `
  time | time | the store's clock, ISO 8601
  event | text | what happened: enqueue, claim, settle, read, …
  id | text | id of the job or session; for a note, its subject
  from | text or null | the state before; null: none
  to | text or null | the state after; null: a note
  by | text or null | the actor: cli:user@host, a worker, …
  why | text or null | the reason that was given
  block | number | of the transaction that wrote it
  revision | number | counts the job's records; 0: a note
  token | number | of the newest lease
  generation | number | of the job; 0: a note
  executions | number | attempts over all generations
  detail | object | further fields, depending on the event: see the audit log
`;

/** The fields of `foundDocument`. */
export const FOUND_FIELDS = `
  ${RECORD_FIELDS}
  record | text | the block and the position in it, as audit prove takes it
`;

export const REPLAY_FIELDS = `
  session | text | its id
  same | boolean | true: every derived decision equals the recorded one
  omitted | number | steps that are not listed, because there are too many
  steps | list | in the order in which they happened
  ${under('steps[].', RECORD_FIELDS)}
  steps[].decision | object or null | policy, version of \`decide\` and \`input\`; the \`recorded\` and the \`derived\` decision, whether they are the \`same\`; how the \`wait\` was computed
`;

/** The shapes in which the log can be shown. */
export const RECORD_FORMATS: readonly string[] = Object.keys({
  'audit/v1': true,
  'event/v1': true,
  'session/v1': true,
} satisfies Record<RecordFormat, true>);

/** The names that the renderings `audit/v1` and `event/v1` give their events: filters of the log, too. */
export const RENDERED_EVENTS: readonly string[] = Object.keys({
  retry_attempt: true,
  retry_success: true,
  retry_failure: true,
  retry_exhausted: true,
  circuit_breaker_opened: true,
  circuit_breaker_closed: true,
  idempotency: true,
  // The type alone: `redrive --help` must not load durable.
} satisfies Record<RenderedEvent, true>);
