import { type FieldProblem, problem, refuse } from '../fields/check-fields.ts';

/** The shapes that have rules: `attempt/v1`, `session/v1` and `event/v1`. */
export type RecordShape = 'attempt' | 'session' | 'event';

type Fields = Readonly<Record<string, unknown>>;

/** What a field must be. The test also sees the document, for rules over two fields. */
type Rule = readonly [must: string, obeys: (value: unknown, document: Fields) => boolean];

const isObject = (value: unknown): value is Fields =>
  Object(value) === value && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isFrom = (min: number, value: unknown) => Number.isFinite(value) && Number(value) >= min;
const isCount = (min: number, value: unknown) => Number.isInteger(value) && Number(value) >= min;

const text: Rule = ['a string', isText];
const filled: Rule = ['a non-empty string', (value) => isText(value) && value !== ''];
const flag: Rule = ['a boolean', (value) => typeof value === 'boolean'];
const time: Rule = ['an ISO 8601 date and time', (value) => isText(value) && isTime(String(value))];
const amount: Rule = ['a number from 0', (value) => isFrom(0, value)];
const number: Rule = ['a whole number from 1', (value) => isCount(1, value)];
const context: Rule = ['an object', isObject];
const error: Rule = [
  'an object with the strings type, message and perhaps stack_trace',
  (value) => isObject(value) && [value.type, value.message, value.stack_trace ?? ''].every(isText),
];

const EVENT_TYPES: readonly unknown[] = [
  'retry_attempt',
  'retry_success',
  'retry_failure',
  'circuit_breaker_opened',
  'circuit_breaker_closed',
];

/** Fields and rules of each shape. A name with `?` may be absent; fields that are not here are nobody's business. */
const RULES: Readonly<Record<RecordShape, Readonly<Record<string, Rule>>>> = {
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
    attempts: ['a non-empty array', (value) => countOf(value) > 0],
    'final_error?': error,
    success: flag,
    'context?': context,
    'total_attempts?': [
      'the length of attempts',
      (value, { attempts }) => value === countOf(attempts),
    ],
    'total_duration?': amount,
    'retry_count?': [
      'total_attempts - 1',
      (value, { attempts, total_attempts = countOf(attempts) }) =>
        value === Number(total_attempts) - 1,
    ],
  },
  event: {
    event_id: text,
    event_type: [`one of ${EVENT_TYPES.join(', ')}`, (value) => EVENT_TYPES.includes(value)],
    timestamp: time,
    correlation_id: filled,
    session_id: text,
    policy_id: text,
    operation: text,
    'attempt?': number,
    'max_attempts?': [
      'a whole number from 1, at least attempt',
      (value, { attempt = 1 }) => isCount(Math.max(1, Number(attempt)), value),
    ],
    'delay?': amount,
    'error?': error,
    component: text,
    'context?': context,
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
  const problems = Object.entries(RULES[shape]).flatMap(([name, [must, obeys]]): FieldProblem[] => {
    const field = name.replace('?', '');
    const value = document[field];
    if (value === undefined ? field !== name : obeys(value, document)) return [];
    return [problem(field, must, value)];
  });
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

/** Engines differ about the 30th of February: some take it for a day in March. So the day is compared, too. */
function isTime(value: string): boolean {
  const date = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(
    value,
  )?.[1];
  if (date === undefined || Number.isNaN(Date.parse(value))) return false;
  return new Date(`${date}T00:00Z`).toISOString().startsWith(date);
}
