import { type AttemptEnded, type Decision, RedriveError, type RetryRecord } from '@redrive/core';
import type { SessionFacts } from '@redrive/core/stored';
import { logNotice, logRecords, type Notice } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { type Io, processIo } from '../terminal/io.ts';
import { screenOf } from '../terminal/screen.ts';
import { workerLog } from './worker-log.ts';

function setUp(plain = false) {
  const lines: string[] = [];
  const clock = virtualClock({ startMs: Date.UTC(2027, 0, 31, 8) });
  const io: Io = { ...processIo(), clock, screen: screenOf({}, {}) };
  const log = workerLog(io, { plain, write: (line) => lines.push(line) });
  const last = () => JSON.parse(lines.at(-1) ?? '{}');
  return { log, lines, last };
}

const session: SessionFacts = {
  sessionId: 's1',
  policyId: 'p',
  policyHash: 'h',
  operation: 'mail',
  maxAttempts: 3,
  context: { job_id: 'j1' },
};

function ended(decision: Partial<Decision>, message?: string): RetryRecord {
  const error = message === undefined ? undefined : { type: 'Error', message };
  const charge = { entry: 'blocked', budget: false, ...decision.charge };
  const facts = { session, attempt: 2, durationMs: 40, error, decision: { ...decision, charge } };
  const given = { kind: 'attempt_ended', input: {}, ...facts };
  // The log looks at these fields only.
  return given as unknown as AttemptEnded;
}

function blocked(decision: Partial<Decision>): RetryRecord {
  // The log looks at these fields only.
  return { kind: 'attempt_blocked', session, attempt: 2, decision } as unknown as RetryRecord;
}

test.each<[RetryRecord, string, string, string]>([
  [
    ended({ action: 'succeed', reason: 'succeeded' }),
    'info',
    'retry.succeeded',
    'Retry succeeded: attempt 2',
  ],
  [
    ended({ action: 'park', reason: 'breaker_open', delayMs: 1_500 }, 'refused'),
    'info',
    'job.parked',
    'Attempt 2 failed and is not charged (breaker_open): refused. The breaker of p is open. Parked for 1.5 s',
  ],
  [
    ended({ action: 'park', reason: 'budget_exhausted', delayMs: 1_500 }, 'refused'),
    'info',
    'job.parked',
    'Attempt 2 failed and is not charged (budget_exhausted): refused. The retry budget of p is used up. Parked for 1.5 s',
  ],
  [
    blocked({ action: 'park', reason: 'kill_switch', delayMs: 86_400_000 }),
    'info',
    'job.parked',
    'Attempt 2 did not start (kill_switch): a kill switch was released at a pace. Parked until it is the turn of this job',
  ],
  [
    ended({ action: 'retry', reason: 'interrupted', delayMs: 0 }),
    'info',
    'retry.scheduled',
    'Retry scheduled: attempt 3 at once (interrupted)',
  ],
  [
    {
      kind: 'session_ended',
      atMs: 0,
      session,
      startedAtMs: 0,
      totalAttempts: 0,
      success: false,
      reason: 'ttl_exceeded',
    },
    'error',
    'job.dead',
    'Given up (ttl_exceeded)',
  ],
  [
    {
      kind: 'session_ended',
      atMs: 0,
      session,
      startedAtMs: 0,
      totalAttempts: 1,
      success: false,
      reason: 'cancelled',
    },
    'info',
    'job.cancelled',
    'Cancelled',
  ],
  [
    { kind: 'breaker_changed', atMs: 0, key: 'bank', from: 'closed', to: 'open', failureCount: 3 },
    'warn',
    'breaker.open',
    'Circuit breaker of bank: closed to open',
  ],
])('a record is told: %#', (record, level, event, msg) => {
  const { log, last } = setUp();
  logRecords(log).emit(record);
  expect(last()).toMatchObject({ level, event, msg, time: '2027-01-31T08:00:00.000Z' });
  if ('session' in record && record.session)
    expect(last()).toMatchObject({ handler: 'mail', job: 'j1' });
});

test.each<[Partial<Extract<RetryRecord, { kind: 'breaker_changed' }>>, string, string]>([
  [{ from: 'open', to: 'half_open' }, 'info', 'open to half_open, a probe starts'],
  [
    { from: 'half_open', to: 'open', nextProbeInMs: 5_000 },
    'info',
    'half_open to open, next probe in 5 s',
  ],
  [{ from: 'half_open', to: 'closed' }, 'info', 'half_open to closed, its jobs are released'],
  [{ from: 'closed', to: 'open', forcedBy: 'eve' }, 'warn', 'closed to open, forced by eve'],
])('every change of a breaker has a line: %j', (change, level, text) => {
  const { log, last } = setUp();
  const given = { kind: 'breaker_changed', atMs: 0, key: 'bank', failureCount: 3 } as const;
  logRecords(log).emit({ ...given, from: 'open', to: 'closed', ...change });
  expect(last()).toMatchObject({ level, msg: `Circuit breaker of bank: ${text}` });
});

test.each<[Notice, string, RegExp]>([
  [{ kind: 'started', worker: 'w', handlers: ['a', 'b'] }, 'info', /^Works on a, b$/],
  [
    { kind: 'started', worker: 'w', handlers: ['a', 'b'], queues: ['x', 'y'] },
    'info',
    /^Works on a, b, only in the queues x, y$/,
  ],
  [
    { kind: 'stopping', mode: 'release', running: 2 },
    'info',
    /^Stopping: 2 jobs run and are released$/,
  ],
  [
    { kind: 'stopping', mode: 'release', running: 1 },
    'info',
    /^Stopping: 1 job runs and is released$/,
  ],
  [
    { kind: 'stopping', mode: 'finish', running: 1 },
    'info',
    /^Stopping: 1 job runs and may finish$/,
  ],
  [{ kind: 'stopping', mode: 'finish', running: 0 }, 'info', /^Stopping: no job runs$/],
  [{ kind: 'stopped', abandoned: 1 }, 'warn', /1 job did not finish in time/],
  [{ kind: 'stopped', abandoned: 2 }, 'warn', /2 jobs did not finish in time/],
  [
    { kind: 'control_seen', control: 'kill', name: 'queue:mail', by: 'eve', why: 'INC-7' },
    'warn',
    /^Kill switch seen: queue:mail, by eve: INC-7$/,
  ],
  [
    { kind: 'control_gone', control: 'kill', name: 'all', by: 'eve' },
    'warn',
    /^Kill switch released: all$/,
  ],
  [
    { kind: 'control_seen', control: 'gate', name: '["search","",""]' },
    'warn',
    /^Gate closed: search$/,
  ],
  [
    { kind: 'control_gone', control: 'gate', name: '["search","","acme"]' },
    'warn',
    /^Gate open: search\/\/acme$/,
  ],
  [{ kind: 'control_gone', control: 'pause', name: 'queue:a' }, 'warn', /^Pause over: queue:a$/],
  [
    { kind: 'controls_unconfirmed', forMs: 1_000, error: new Error('away') },
    'error',
    /^No job starts: .* for 1 s: away$/,
  ],
  [{ kind: 'controls_confirmed', afterMs: 2_500 }, 'info', /can be read again after 2.5 s$/],
  [{ kind: 'lease_lost', jobId: 'j', handler: 'h' }, 'warn', /^Lease lost/],
  [
    { kind: 'attempt_error', jobId: 'j', handler: 'h', error: new Error('no budget') },
    'error',
    /is broken: no budget/,
  ],
  [
    { kind: 'stale_settlement', jobId: 'j', refusal: 'stale_token' },
    'warn',
    /late result was refused: stale_token/,
  ],
  [
    { kind: 'rescued', jobId: 'j', handler: 'h', worker: 'w2', losses: 1, alone: false },
    'warn',
    /^Taken over from w2, .* held other jobs too, so no attempt is charged \(1 lease lost\)$/,
  ],
  [
    { kind: 'rescued', jobId: 'j', handler: 'h', worker: 'w2', losses: 2, alone: false },
    'warn',
    /charged \(2 leases lost in a row\)$/,
  ],
  [
    { kind: 'rescued', jobId: 'j', handler: 'h', worker: 'w2', losses: 3, alone: false },
    'warn',
    /charged \(3 leases lost in a row\)\. From now on a worker runs it beside fewer jobs$/,
  ],
  [
    { kind: 'rescued', jobId: 'j', handler: 'h', worker: 'w2', losses: 4, alone: true },
    'warn',
    /held only this job, so the job may have ended it: one attempt charged \(4 leases lost in a row\)$/,
  ],
  [
    { kind: 'store_unavailable', error: new Error('gone'), retryInMs: 500 },
    'error',
    /next try in 500 ms: gone/,
  ],
  [
    {
      kind: 'store_unavailable',
      error: new RedriveError('store_forbidden', 'permission denied for table jobs'),
      retryInMs: 500,
    },
    'error',
    /The store denies access, next try in 500 ms: permission denied for table jobs/,
  ],
  [{ kind: 'store_back', afterMs: 61_000 }, 'info', /back after 1 min 1 s/],
  [
    { kind: 'unknown_policy', policy: 'p', handler: 'h' },
    'warn',
    /names the policy p, which does not exist/,
  ],
  [
    { kind: 'invalid_policy', policy: 'p', error: new Error('maxAttempts must be above 0') },
    'error',
    /policy p is invalid, and the last good one stays in force: maxAttempts must be above 0/,
  ],
  [
    { kind: 'result_altered', jobId: 'j', handler: 'h', losses: ['result.n is NaN'] },
    'warn',
    /Job j of h succeeded, but JSON cannot hold its result as it is: result.n is NaN/,
  ],
  [{ kind: 'archived', letters: 3 }, 'info', /Archived 3 dead letters/],
  [{ kind: 'store_error', error: new Error('bad row') }, 'error', /jobs continue to run: bad row/],
  [
    { kind: 'archive_failed', error: new Error('full'), letters: 2 },
    'error',
    /2 dead.*kept and tried again: full/,
  ],
  [{ kind: 'seal_failed', error: new Error('busy') }, 'error', /not sealed: busy/],
  [
    { kind: 'audit_compressed', blocks: 1_000, bytesBefore: 500, bytesAfter: 20 },
    'info',
    /Compressed 1000 old blocks of the audit log from 500 to 20 bytes/,
  ],
  [{ kind: 'pruned', deleted: 3 }, 'info', /deleted 3 finished jobs/],
])('a notice is told: %j', (notice, level, msg) => {
  const { log, last } = setUp();
  logNotice(log, notice);
  expect(last()).toMatchObject({
    level,
    msg: expect.stringMatching(msg),
    event: expect.any(String),
  });
});

test('what an error says cannot reach a terminal as control characters, plain or as JSON', () => {
  const record = ended(
    { action: 'retry', reason: 'retryable_error', delayMs: 1 },
    'a\x1b[2J\x9bb\u202E\nc',
  );
  for (const plain of [true, false]) {
    const { log, lines } = setUp(plain);
    logRecords(log).emit(record);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, -1)).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  }
});
