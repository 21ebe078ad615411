import {
  type FieldProblem,
  type FieldRule,
  type FieldRules,
  fieldProblems,
  problem,
  refuse,
} from '../fields/check-fields.ts';
import { check, isObject, isTime } from '../fields/rules.ts';

/** The shapes that have rules: `attempt/v1`, `session/v1`, `event/v1` and the retry metrics of a time window. */
export type RecordShape = 'attempt' | 'session' | 'event' | 'metrics';

const isText = (value: unknown) => typeof value === 'string';
const isFrom = (min: number, value: unknown) => Number.isFinite(value) && Number(value) >= min;
const isCount = (min: number, value: unknown) => Number.isInteger(value) && Number(value) >= min;

const text = check('a string', isText);
const flag: FieldRule = { kind: 'boolean' };
const time = check('an ISO 8601 date and time', isTime);
const amount = check('a number from 0', (value) => isFrom(0, value));
const number = check('a whole number from 1', (value) => isCount(1, value));
const count = check('a whole number from 0', (value) => isCount(0, value));
const context = check('an object', isObject);
const error = check(
  'an object with the strings type, message and perhaps stack_trace',
  (value) => isObject(value) && [value.type, value.message, value.stack_trace ?? ''].every(isText),
);

const isShare = (value: unknown) =>
  isObject(value) &&
  isCount(0, value.sessions) &&
  isFrom(0, value.success_rate) &&
  Number(value.success_rate) <= 1 &&
  isFrom(0, value.average_attempts);
const shares = check(
  'an object of names, each with the numbers sessions, success_rate (0 to 1) and average_attempts',
  (value) => isObject(value) && Object.values(value).every(isShare),
);

const EVENT_TYPES = [
  'retry_attempt',
  'retry_success',
  'retry_failure',
  'circuit_breaker_opened',
  'circuit_breaker_closed',
];

/** Fields and rules of each shape. A name with `?` may be absent; fields that are not here are nobody's business. */
const RULES: Readonly<Record<RecordShape, FieldRules>> = {
  attempt: {
    attempt_number: number,
    timestamp: time,
    delay: amount,
    'error?': error,
    success: flag,
    duration: amount,
    'context?': context,
  },
  session: {
    session_id: text,
    policy_id: text,
    operation: text,
    start_time: time,
    'end_time?': time,
    attempts: check('a non-empty array', (value) => countOf(value) > 0),
    'final_error?': error,
    success: flag,
    'context?': context,
    'total_attempts?': check(
      'the length of attempts',
      (value, { attempts }) => value === countOf(attempts),
    ),
    'total_duration?': amount,
    'retry_count?': check(
      'total_attempts - 1',
      (value, { attempts, total_attempts = countOf(attempts) }) =>
        value === Number(total_attempts) - 1,
    ),
  },
  event: {
    event_id: text,
    event_type: { kind: 'choice', values: EVENT_TYPES },
    timestamp: time,
    correlation_id: check('a non-empty string', (value) => isText(value) && value !== ''),
    session_id: text,
    policy_id: text,
    operation: text,
    'attempt?': number,
    'max_attempts?': check('a whole number from 1, at least attempt', (value, { attempt = 1 }) =>
      isCount(Math.max(1, Number(attempt)), value),
    ),
    'delay?': amount,
    'error?': error,
    component: text,
    'context?': context,
  },
  metrics: {
    time_window_start: time,
    time_window_end: check(
      'an ISO 8601 date and time after time_window_start',
      (value, { time_window_start: start }) =>
        isTime(value) && !(Date.parse(String(value)) <= Date.parse(String(start))),
    ),
    total_sessions: count,
    successful_sessions: count,
    failed_sessions: check(
      'total_sessions - successful_sessions',
      (value, { total_sessions: all, successful_sessions: good }) =>
        isCount(0, value) && value === Number(all) - Number(good),
    ),
    total_attempts: count,
    average_attempts_per_session: amount,
    max_attempts_in_session: count,
    total_duration: amount,
    average_duration_per_session: amount,
    by_policy: shares,
    by_subsystem: shares,
  },
};

/**
 * Checks a document against the rules of its shape. What the shape does not know (such as `redrive`) is allowed.
 *
 * @throws RedriveError `invalid_record` with every problem at once, in the message and in `details.problems`.
 */
export function validateRecord(shape: RecordShape, document: unknown): void {
  refuse('invalid_record', `retry ${shape}`, recordProblems(shape, document));
}

/** Every breach of the shape's rules. Empty: the document is valid. */
export function recordProblems(shape: RecordShape, document: unknown): FieldProblem[] {
  if (!isObject(document)) return [problem(shape, 'an object', document)];
  const problems = fieldProblems(document, RULES[shape]);
  if (shape !== 'session' || !Array.isArray(document.attempts)) return problems;
  const inAttempts = document.attempts.flatMap((attempt, index) =>
    recordProblems('attempt', attempt).map(({ field, message }) => ({
      field: `attempts[${index}].${field}`,
      message: `attempts[${index}].${message}`,
    })),
  );
  return [...problems, ...inAttempts];
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
