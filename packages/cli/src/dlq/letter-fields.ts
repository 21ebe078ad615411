import { SUMMARY_FIELDS } from '../jobs/job-fields.ts';

export const LETTER_SUMMARY_FIELDS = `
  ${SUMMARY_FIELDS}
  fingerprint | text or null | fingerprint of its cause, for --group
  came_back | boolean | true: it was requeued, and died again
`;

/** How many there are, under `at`. */
export const countFields = (at: string, what: string) => `
  ${at} | map | ${what}
  ${at}.count | number | dead letters, up to the counting limit
  ${at}.bounded | boolean | true: there are more, or may be
`;

/** A cause, under `at`. */
export const GROUP_FIELDS = `
  fingerprint | text | for --group
  pattern | text | the error text, without the parts that differ from case to case
  count | number | dead letters, up to the counting limit
  bounded | boolean | true: there are more
  first_died_at | time | the first death
  last_died_at | time | the newest death
  newest_id | text | id of the letter that died last
  handlers | list | handlers of its newest 100 letters, by name
  next | text | the next command to type
`;

/** The envelope of `docs/reference/dead-letters.md`, and what there is beside it. */
export const LETTER_FIELDS = `
  original_event | any | the payload: masked and cut, unless --payload says otherwise
  idempotency_key | text | the key that the handler passed on
  attempt_count | number | charged attempts of this generation, over all rungs
  last_error | text | type and message of the newest error
  error_type | text | its type
  abandoned_reason | text | max_attempts_exceeded, ttl_exceeded or non_retryable
  service_name | text | the first part of the handler's name
  timestamp | time | when it was given up
  redrive | object | further fields: see [dead letters](dead-letters.md#the-envelope)
  state | "dead" or "purged" | purged: deleted, and can still be restored
  came_back | boolean | true: it was requeued, and died again
  ${countFields('same_cause', 'dead letters of the same cause, itself included')}
  earlier_payloads | list | those that edits have replaced, the oldest first
  earlier_payloads[].generation | number | attempts that ran with it
  earlier_payloads[].replaced_at | time | when it was replaced
  earlier_payloads[].by | text | who replaced it
  earlier_payloads[].payload | any | shown as the payload is
`;
