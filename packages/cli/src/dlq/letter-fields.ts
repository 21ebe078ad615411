import type { JsonField } from '../command/command-spec.ts';
import { summaryFields } from '../jobs/job-fields.ts';

export const letterSummaryFields = (at: string): JsonField[] => [
  ...summaryFields(at),
  {
    path: `${at}fingerprint`,
    type: 'text or null',
    meaning: 'fingerprint of its cause, for --group',
  },
  { path: `${at}came_back`, type: 'boolean', meaning: 'true: it was requeued, and died again' },
];

/** How many there are, under `at`. */
export const countFields = (at: string, what: string): JsonField[] => [
  { path: at, type: 'map', meaning: what },
  { path: `${at}.count`, type: 'number', meaning: 'dead letters, up to the counting limit' },
  { path: `${at}.bounded`, type: 'boolean', meaning: 'true: there are more, or may be' },
];

/** A cause, under `at`. */
export const groupFields = (at: string): JsonField[] => [
  { path: `${at}fingerprint`, type: 'text', meaning: 'for --group' },
  {
    path: `${at}pattern`,
    type: 'text',
    meaning: 'the error text, without the parts that differ from case to case',
  },
  { path: `${at}count`, type: 'number', meaning: 'dead letters, up to the counting limit' },
  { path: `${at}bounded`, type: 'boolean', meaning: 'true: there are more' },
  { path: `${at}first_died_at`, type: 'time', meaning: 'the first death' },
  { path: `${at}last_died_at`, type: 'time', meaning: 'the newest death' },
  { path: `${at}newest_id`, type: 'text', meaning: 'id of the letter that died last' },
  { path: `${at}handlers`, type: 'list', meaning: 'handlers of its newest 100 letters, by name' },
  { path: `${at}next`, type: 'text', meaning: 'the next command to type' },
];

const fields = (list: readonly (readonly [path: string, type: string, meaning: string])[]) =>
  list.map(([path, type, meaning]): JsonField => ({ path, type, meaning }));

/** The envelope of `docs/reference/dead-letters.md`, and what there is beside it. */
export const LETTER_FIELDS: readonly JsonField[] = [
  ...fields([
    ['original_event', 'any', 'the payload: masked and cut, unless --payload says otherwise'],
    ['idempotency_key', 'text', 'the key that the handler passed on'],
    ['attempt_count', 'number', 'charged attempts of this generation, over all rungs'],
    ['last_error', 'text', 'type and message of the newest error'],
    ['error_type', 'text', 'its type'],
    ['abandoned_reason', 'text', 'max_attempts_exceeded, ttl_exceeded or non_retryable'],
    ['service_name', 'text', "the first part of the handler's name"],
    ['timestamp', 'time', 'when it was given up'],
    ['redrive', 'object', 'further fields: see [dead letters](dead-letters.md#the-envelope)'],
    ['state', '"dead" or "purged"', 'purged: deleted, and can still be restored'],
    ['came_back', 'boolean', 'true: it was requeued, and died again'],
  ]),
  ...countFields('same_cause', 'dead letters of the same cause, itself included'),
  ...fields([
    ['earlier_payloads', 'list', 'those that edits have replaced, the oldest first'],
    ['earlier_payloads[].generation', 'number', 'attempts that ran with it'],
    ['earlier_payloads[].replaced_at', 'time', 'when it was replaced'],
    ['earlier_payloads[].by', 'text', 'who replaced it'],
    ['earlier_payloads[].payload', 'any', 'shown as the payload is'],
  ]),
];
