import { stripVTControlCharacters } from 'node:util';
import type { RetryRecord } from '@redrive/core';
import type { ClimbStep } from '@redrive/durable/store';
import { expect, test } from 'vitest';
import { screenOf } from '../../terminal/screen.ts';
import { followedLines, ladderLines, nextStepLines } from './ladder-lines.ts';
import type { Followed, StoredNow } from './read-ladder.ts';
import { Tally } from './tally.ts';

const screen = (columns: number) =>
  screenOf({ isTTY: true, columns, rows: 24, hasColors: () => true }, { LANG: 'C.UTF-8' });

const group = (queue: string, handler: string, state: 'ready' | 'parked' | 'leased' | 'dead') => ({
  ...{ queue, handler, state, count: 3 },
});

const STORED: StoredNow = {
  counts: {
    nowMs: 0,
    bounded: false,
    groups: [
      group('orders', 'shop.order', 'ready'),
      group('default', 'mail', 'ready'),
      group('default', 'charge', 'parked'),
      group('default', 'charge', 'leased'),
      group('documents', 'sweeps.run', 'leased'),
      group('default', 'report', 'dead'),
    ],
  },
  ...{ stuck: 2, failed: 1, deadLetters: 3, escalations: 2 },
};

/** A record with the fields that are counted. */
function record(fields: object, operation: string, queue?: string): RetryRecord {
  const context = queue && { queue, job_id: 'j', generation: 1 };
  const session = { sessionId: 's', correlationId: 'order-2', operation, context };
  return { atMs: 0, session, ...fields } as unknown as RetryRecord; // Only these fields are read.
}

const started = (attempt: number) => ({ kind: 'attempt_started', attempt });
const failed = {
  ...{ kind: 'attempt_ended', attempt: 1, success: false },
  ...{ error: { type: 'Error', message: '503' }, decision: { action: 'retry', delayMs: 200 } },
};
const ended = (fields: object) => ({ kind: 'session_ended', totalAttempts: 3, ...fields });

function tallyOf(...records: readonly RetryRecord[]): Tally {
  const tally = new Tally();
  for (const each of records) tally.sink.emit(each);
  return tally;
}

const plain = (lines: readonly string[]) => lines.map(stripVTControlCharacters);

test('each rung has what is on it now, what was done since the start, and the newest sentence', () => {
  const tally = tallyOf(
    record(started(1), 'POST /authorize'),
    record(failed, 'POST /authorize'),
    record(ended({ success: false, reason: 'handed_over' }), 'POST /authorize'),
    record(started(1), 'POST /authorize'),
    record(failed, 'shop.order', 'orders'),
    record(ended({ success: true, reason: 'succeeded' }), 'shop.order', 'orders'),
    record(
      ended({
        success: false,
        reason: 'final_error',
        error: { type: 'Error', message: 'no file' },
      }),
      'import',
      'default',
    ),
    record(ended({ success: true, reason: 'succeeded' }), 'documents.orders', 'documents'),
    record(ended({ success: true, reason: 'succeeded' }), 'sweeps.run', 'documents'),
    record(ended({ success: true, reason: 'succeeded' }), 'escalation.notify', 'escalation'),
    record(ended({ success: true, reason: 'succeeded' }), 'escalation.look', 'escalation'),
  );
  const lines = plain(ladderLines(screen(80), { stored: STORED, tally, followed: undefined }));
  expect(lines).toEqual([
    'rung            now                      since this start',
    '1 calls         1 under way              0 done, 1 retried, 1 handed over',
    '  POST /authorize of order-2 waits too long for a call: it goes on as a job',
    '2 events        3 wait, 0 run            1 done, 1 retried, 0 given up',
    '  shop.order of order-2: 503; again in 200 ms',
    '3 jobs          3 wait, 3 parked, 3 run  0 done, 0 retried, 1 given up',
    '  import of order-2 was given up after 3 attempts: no file',
    '4 stuck orders  2 stuck, 1 failed        1 sent again',
    '',
    '5 people        3 dead, 2 escalated      1 notified',
    '',
  ]);
});

const step = (
  rung: ClimbStep['rung'],
  state: ClimbStep['state'],
  marks: readonly boolean[],
): ClimbStep => ({
  ...{ rung, state, id: `${rung}-1`, session: 's', name: rung, fromMs: 0 },
  attempts: marks.map((success, place) => ({
    ...{ attempt: place + 1, generation: 1, startedAtMs: 0, durationMs: 1, success },
    reason: 'x',
  })),
});

const FOLLOWED: Followed = {
  order: { id: 'order-2', n: 2, placedMs: 0, status: 'packing', isGlass: true },
  climb: {
    correlation: 'order-2',
    complete: true,
    steps: [
      step('call', 'succeeded', [false, false, true]),
      step('event', 'succeeded', [false, true]),
      step('job', 'scheduled', Array(14).fill(false)),
      step('document', 'succeeded', [true]),
      step('document', 'dead', []),
    ],
  },
};

test('the followed order has its attempts per rung', () => {
  expect(plain(followedLines(screen(80), FOLLOWED))).toEqual([
    'Followed: order-2, packing, sent again once; 20 attempts',
    '  calls ✗✗✓   events ✗✓   jobs 2 + ✗✗✗✗✗✗✗✗✗✗✗✗   sweeps ✓   people dead letter',
  ]);
});

test.each([80, 160])(
  'no line is wider than %i columns, however large the numbers are',
  (columns) => {
    const many = tallyOf(
      ...Array.from({ length: 1_200 }, () => [
        record(started(1), 'POST /authorize'),
        record(failed, 'POST /authorize'),
        record(
          ended({ success: false, reason: 'x', error: { type: 'E', message: 'no '.repeat(90) } }),
          'mail',
          'default',
        ),
      ]).flat(),
    );
    const parts = { stored: { ...STORED, stuck: 123_456 }, tally: many, followed: FOLLOWED };
    const url = 'sqlite:./redrive-demo.db';
    const lines = [
      ...ladderLines(screen(columns), parts),
      ...followedLines(screen(columns), FOLLOWED),
      ...nextStepLines(screen(columns), { url, deadId: 'id::import-order-1', followed: FOLLOWED }),
    ];
    for (const line of plain(lines)) expect(line.length).toBeLessThanOrEqual(columns);
  },
);
