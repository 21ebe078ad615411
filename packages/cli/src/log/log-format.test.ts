import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RetryRecord, syncSink } from '@redrive/core';
import type { SessionFacts } from '@redrive/core/stored';
import { logNotice, logRecords, memoryStore, type Notice } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, test } from 'vitest';
import { type Io, processIo } from '../terminal/io.ts';
import { screenOf } from '../terminal/screen.ts';
import type { LogFormat } from './log-format.ts';
import { workerLog } from './worker-log.ts';

const FORMATS = ['redrive', 'ecs', 'otel'] as const satisfies readonly LogFormat[];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function setUp(format: LogFormat) {
  const lines: string[] = [];
  const clock = virtualClock({ startMs: Date.UTC(2027, 0, 31, 8) });
  const io: Io = { ...processIo(), clock, screen: screenOf({}, {}) };
  const log = workerLog(io, { plain: false, format, write: (line) => lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

function ended(facts: Partial<SessionFacts>, message?: string): RetryRecord {
  const error = message === undefined ? undefined : { type: 'TypeError', message };
  const session = { sessionId: 's', operation: 'mail', maxAttempts: 3, ...facts };
  const failed = { action: 'retry', reason: 'retryable_error', delayMs: 1_000 };
  const decision = error ? failed : { action: 'succeed', reason: 'succeeded' };
  const given = { session, attempt: 2, durationMs: 40, error, decision, input: {} };
  // The log looks at these fields only.
  return { kind: 'attempt_ended', ...given } as unknown as RetryRecord;
}

test('ecs: the names of the Elastic Common Schema', () => {
  const { log, last } = setUp('ecs');
  logRecords(log).emit(ended({ traceId: TRACE }, 'no such host: a'));
  expect(last()).toEqual({
    '@timestamp': '2027-01-31T08:00:00.000Z',
    'log.level': 'info',
    message: 'Retry scheduled: attempt 3 in 1 s (retryable_error): no such host: a',
    'ecs.version': '8.11.0',
    'service.name': 'redrive',
    'event.dataset': 'redrive.log',
    'event.action': 'retry.scheduled',
    'event.outcome': 'failure',
    'event.duration': 40_000_000,
    'event.reason': 'retryable_error',
    'error.type': 'TypeError',
    'error.message': 'no such host: a',
    'trace.id': TRACE,
    'redrive.handler': 'mail',
    'redrive.job': 's',
    'redrive.attempt': 2,
    'redrive.max_attempts': 3,
    'redrive.next_attempt': 3,
    'redrive.delay_ms': 1_000,
  });
  logRecords(log).emit(ended({}));
  expect(last()).toMatchObject({ 'event.outcome': 'success' });
});

test('otel: the fields of the OpenTelemetry log data model', () => {
  const { log, last } = setUp('otel');
  logRecords(log).emit(ended({ traceId: TRACE }, 'no such host'));
  expect(last()).toEqual({
    Timestamp: '1801382400000000000',
    SeverityText: 'INFO',
    SeverityNumber: 9,
    Body: 'Retry scheduled: attempt 3 in 1 s (retryable_error): no such host',
    EventName: 'retry.scheduled',
    TraceId: TRACE,
    Resource: { 'service.name': 'redrive' },
    Attributes: {
      'exception.type': 'TypeError',
      'exception.message': 'no such host',
      'redrive.handler': 'mail',
      'redrive.job': 's',
      'redrive.attempt': 2,
      'redrive.max_attempts': 3,
      'redrive.duration_ms': 40,
      'redrive.reason': 'retryable_error',
      'redrive.next_attempt': 3,
      'redrive.delay_ms': 1_000,
    },
  });
  const severity = (write: 'warn' | 'error') => {
    log[write]({ event: 'x' }, 'text');
    return [last().SeverityText, last().SeverityNumber];
  };
  expect([severity('warn'), severity('error')]).toEqual([
    ['WARN', 13],
    ['ERROR', 17],
  ]);
});

test('a notice keeps its error whole, and its worker is the instance', () => {
  const notices: Notice[] = [
    { kind: 'started', worker: 'w1', handlers: ['mail'] },
    { kind: 'seal_failed', error: new Error('postgres: gone') },
  ];
  const ecs = setUp('ecs');
  const otel = setUp('otel');
  for (const notice of notices) {
    logNotice(ecs.log, notice);
    logNotice(otel.log, notice);
  }
  expect(ecs.last()).toMatchObject({ 'error.message': 'postgres: gone', 'log.level': 'error' });
  expect(ecs.last()).not.toHaveProperty(['error.type']);
  expect(JSON.parse(ecs.lines[0] ?? '')).toMatchObject({ 'service.node.name': 'w1' });
  expect(JSON.parse(otel.lines[0] ?? '')).toMatchObject({
    Resource: { 'service.name': 'redrive', 'service.instance.id': 'w1' },
    Attributes: { 'redrive.handlers': ['mail'] },
  });
});

test('an id of the application that is not one of W3C trace context stays out of the log', () => {
  const { log, lines } = setUp('redrive');
  logRecords(log).emit(ended({ traceId: 'order 17 of bob' }));
  expect(lines.join()).not.toContain('bob');
});

test.each(FORMATS)('%s: one line each, without control characters', (format) => {
  const { log, lines } = setUp(format);
  logRecords(log).emit(ended({}, 'a\x1b[2J\x9bb\u202E\nc'));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.slice(0, -1)).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(lines[0]?.endsWith('}\n')).toBe(true);
});

test('50 planted secrets: none is found in a log of any format', async () => {
  const records: RetryRecord[] = [];
  const notices: Notice[] = [];
  const events = syncSink((record) => void records.push(record));
  await plantSecrets(memoryStore(), { events, onNotice: (notice) => void notices.push(notice) });
  expect(records.length).toBeGreaterThan(400);
  for (const format of FORMATS) {
    const { log, lines } = setUp(format);
    for (const record of records) logRecords(log).emit(record);
    for (const notice of notices) logNotice(log, notice);
    expect(lines.length).toBeGreaterThan(400);
    expect(leakedSecrets(lines.join('\n'))).toEqual([]);
  }
});

test('the page about the log shows the line that ecs writes', () => {
  const { log, lines } = setUp('ecs');
  logRecords(log).emit(ended({ context: { job_id: 'j1' } }));
  const page = join(import.meta.dirname, '../../../../docs/reference/worker-log.md');
  expect(readFileSync(page, 'utf8')).toContain(lines[0]);
});
