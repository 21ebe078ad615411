import { expect, test } from 'vitest';
import { isRedriveError } from '../errors/redrive-error.ts';
import { type RecordShape, recordProblems, validateRecord } from './validate-record.ts';

const attempt = {
  attempt_number: 1,
  timestamp: '2026-01-29T12:00:00.000Z',
  delay: 0,
  success: false,
  duration: 30.5,
};
const session = {
  session_id: 's',
  policy_id: 'p',
  operation: 'o',
  start_time: '2026-01-29T12:00:00.000Z',
  attempts: [attempt],
  success: true,
};
const event = {
  event_id: 'e',
  event_type: 'retry_attempt',
  timestamp: '2026-01-29T12:00:00.000Z',
  correlation_id: 'c',
  session_id: 's',
  policy_id: 'p',
  operation: 'o',
  component: 'retry_manager',
};
const metrics = {
  time_window_start: '2026-01-29T00:00:00Z',
  time_window_end: '2026-01-30T00:00:00Z',
  total_sessions: 2,
  successful_sessions: 1,
  failed_sessions: 1,
  total_attempts: 3,
  average_attempts_per_session: 1.5,
  max_attempts_in_session: 2,
  total_duration: 1,
  average_duration_per_session: 0.5,
  by_policy: { p: { sessions: 2, success_rate: 0.5, average_attempts: 1.5 } },
  by_subsystem: {},
};
const valid = { attempt, session, event, metrics };

const fieldsOf = (shape: RecordShape, document: unknown) =>
  recordProblems(shape, document).map(({ field }) => field);

test.each<[RecordShape, object]>([
  ['attempt', {}],
  ['attempt', { error: { type: 'E', message: 'm' }, context: {} }],
  ['attempt', { error: { type: 'E', message: 'm', stack_trace: 's' } }],
  ['session', {}],
  ['session', { total_attempts: 1, total_duration: 0, retry_count: 0, final_result: null }],
  ['session', { retry_count: 0, end_time: '2026-01-29T13:00:00+01:00', redrive: {} }],
  ['session', { final_error: { type: 'E', message: '' }, context: { a: 1 } }],
  ['event', {}],
  ['event', { attempt: 2, max_attempts: 2, delay: 0, error: undefined, context: {} }],
  ['metrics', { by_policy: {}, more: 1 }],
  ['event', { max_attempts: 1, timestamp: '+012026-01-29T12:00:00Z' }],
])('%s with %j is valid', (shape, fields) => {
  expect(recordProblems(shape, { ...valid[shape], ...fields })).toStrictEqual([]);
  validateRecord(shape, { ...valid[shape], ...fields });
});

test.each<[RecordShape, string, unknown]>([
  ['attempt', 'attempt_number', 0],
  ['attempt', 'attempt_number', 1.5],
  ['attempt', 'attempt_number', '1'],
  ['attempt', 'timestamp', '2026-01-29'],
  ['attempt', 'timestamp', '2026-02-30T12:00:00Z'],
  ['attempt', 'timestamp', '2026-13-01T12:00:00Z'],
  ['attempt', 'timestamp', '2026-01-29T25:00:00Z'],
  ['attempt', 'timestamp', '2026-01-29T12:00:00'],
  ['attempt', 'timestamp', 5],
  ['attempt', 'delay', -1],
  ['attempt', 'delay', Number.POSITIVE_INFINITY],
  ['attempt', 'delay', undefined],
  ['attempt', 'duration', -0.1],
  ['attempt', 'duration', Number.NaN],
  ['attempt', 'success', 'yes'],
  ['attempt', 'error', 'boom'],
  ['attempt', 'error', null],
  ['attempt', 'error', { type: 'E' }],
  ['attempt', 'error', { type: 'E', message: 'm', stack_trace: 5 }],
  ['attempt', 'context', []],
  ['session', 'session_id', undefined],
  ['session', 'policy_id', 5],
  ['session', 'operation', null],
  ['session', 'start_time', 'yesterday'],
  ['session', 'end_time', ''],
  ['session', 'attempts', []],
  ['session', 'attempts', 'none'],
  ['session', 'final_error', {}],
  ['session', 'success', 0],
  ['session', 'context', 'x'],
  ['session', 'total_attempts', 2],
  ['session', 'total_duration', -1],
  ['session', 'retry_count', 1],
  ['event', 'event_id', undefined],
  ['event', 'event_type', 'retry_maybe'],
  ['event', 'timestamp', 'now'],
  ['event', 'correlation_id', ''],
  ['event', 'correlation_id', undefined],
  ['event', 'session_id', undefined],
  ['event', 'policy_id', undefined],
  ['event', 'operation', undefined],
  ['event', 'attempt', 0],
  ['event', 'max_attempts', 0],
  ['event', 'delay', -1],
  ['event', 'error', { message: 'm' }],
  ['event', 'component', undefined],
  ['event', 'context', null],
  ['metrics', 'time_window_start', 'today'],
  ['metrics', 'time_window_end', '2026-01-29T00:00:00Z'],
  ['metrics', 'time_window_end', 'tomorrow'],
  ['metrics', 'failed_sessions', 2],
  ['metrics', 'total_attempts', -1],
  ['metrics', 'max_attempts_in_session', 1.5],
  ['metrics', 'total_duration', '1'],
  ['metrics', 'by_policy', []],
  ['metrics', 'by_policy', { p: 1 }],
  ['metrics', 'by_subsystem', { s: { sessions: 1, success_rate: 1.1, average_attempts: 1 } }],
])('%s with %s %j is not', (shape, field, value) => {
  expect(fieldsOf(shape, { ...valid[shape], [field]: value })).toStrictEqual([field]);
});

test('max_attempts must not be less than attempt', () => {
  expect(fieldsOf('event', { ...event, attempt: 3, max_attempts: 2 })).toStrictEqual([
    'max_attempts',
  ]);
});

test('retry_count follows total_attempts where it is given', () => {
  const two = { ...session, attempts: [attempt, attempt] };
  expect(fieldsOf('session', { ...two, total_attempts: 2, retry_count: 1 })).toStrictEqual([]);
  expect(fieldsOf('session', { ...two, total_attempts: 3, retry_count: 1 })).toStrictEqual([
    'total_attempts',
    'retry_count',
  ]);
});

test('each attempt of a session is checked, and named by its place', () => {
  const attempts = [attempt, 'none', { ...attempt, delay: -1, duration: -1 }];
  expect(fieldsOf('session', { ...session, attempts })).toStrictEqual([
    'attempts[1].attempt',
    'attempts[2].delay',
    'attempts[2].duration',
  ]);
});

test.each([undefined, null, 'text', []])('%j is no document', (document) => {
  expect(fieldsOf('event', document)).toStrictEqual(['event']);
});

test('throws one error with all problems', () => {
  const bad = { ...event, delay: -1, attempt: 0 };
  let thrown: unknown;
  try {
    validateRecord('event', bad);
  } catch (error) {
    thrown = error;
  }
  if (!isRedriveError(thrown, 'invalid_record')) throw new Error('no invalid_record');
  expect(thrown.message).toMatch(/^Invalid retry event: attempt must be .*; delay must be .*\.$/);
  expect(thrown.details.problems).toHaveLength(2);
});
