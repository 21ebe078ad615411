import { expect, test } from 'vitest';
import type { AttemptEnded, RetryRecord, SessionEnded, SessionFacts } from './record.ts';
import { sessionLog } from './session-log.ts';
import { toSessionV1 } from './session-v1.ts';

const facts = (sessionId: string): SessionFacts => ({
  sessionId,
  policyId: 'p',
  policyHash: 'h',
  operation: 'o',
  maxAttempts: 3,
});

const ended = (sessionId: string, attempt: number): AttemptEnded => ({
  kind: 'attempt_ended',
  atMs: 1_000 * attempt,
  session: facts(sessionId),
  attempt,
  startedAtMs: 1_000 * attempt - 100,
  durationMs: 100,
  delayBeforeMs: 900,
  success: false,
  error: { type: 'Error', message: 'boom' },
  decision: {
    action: 'retry',
    reason: 'retryable_error',
    delayMs: 900,
    charge: { entry: 'failed', budget: true },
  },
  input: {
    account: { charged: attempt, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
    outcome: { kind: 'failure', errorClass: 'retryable', effect: 'unknown' },
    rung: 'call',
    horizonMs: 600_000,
    canHandOver: false,
    timeLeftMs: 60_000,
    allowance: 10,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: 0,
  },
  decideVersion: 1,
});

const over = (sessionId: string): SessionEnded => ({
  kind: 'session_ended',
  atMs: 9_000,
  session: facts(sessionId),
  startedAtMs: 800,
  totalAttempts: 2,
  success: false,
  reason: 'max_attempts_exceeded',
  error: { type: 'Error', message: 'boom' },
});

const ids = (log: ReturnType<typeof sessionLog>) => log.sessions().map((one) => one.session_id);

test('collects the records of each session into its document', () => {
  const log = sessionLog();
  const ofA = [ended('a', 1), ended('a', 2), over('a')];
  const [first, second, last] = ofA;
  for (const record of [first, ended('b', 1), second, last]) if (record) log.emit(record);
  expect(log.session('a')).toStrictEqual(toSessionV1(ofA));
  expect(log.session('b')).toStrictEqual(toSessionV1([ended('b', 1)]));
  expect(log.session('c')).toBeUndefined();
  expect(ids(log)).toStrictEqual(['a', 'b']);
});

test('the attempts of a session that climbed name their rung and are numbered through', () => {
  const first = ended('a', 1);
  const onJob = {
    ...ended('a', 1),
    attemptsBefore: 1,
    input: { ...first.input, rung: 'job' },
  } as const;
  const climbed = toSessionV1([first, onJob]);
  expect(climbed?.attempts.map(({ attempt_number, redrive }) => [attempt_number, redrive])).toEqual(
    [
      [1, { rung: first.input.rung }],
      [2, { rung: 'job' }],
    ],
  );
  expect(toSessionV1([first])?.attempts[0]).not.toHaveProperty('redrive');
});

test('keeps nothing of sessions in which no attempt ended', () => {
  const log = sessionLog();
  const others: RetryRecord[] = [
    { kind: 'attempt_started', atMs: 0, session: facts('a'), attempt: 1, delayMs: 0 },
    { kind: 'idempotency', atMs: 0, session: facts('a'), key: 'k', action: 'hit' },
    over('a'),
  ];
  for (const record of others) log.emit(record);
  expect(log.sessions()).toStrictEqual([]);
  expect(log.evicted).toBe(0);
});

test('lets the oldest session that is over go first, then the oldest', () => {
  const log = sessionLog({ maxSessions: 2 });
  log.emit(ended('a', 1));
  log.emit(ended('b', 1));
  log.emit(over('b'));
  log.emit(ended('c', 1));
  expect(ids(log)).toStrictEqual(['a', 'c']);
  log.emit(ended('d', 1));
  expect(ids(log)).toStrictEqual(['c', 'd']);
  expect(log.evicted).toBe(2);
});

test('by default a thousand sessions and a hundred attempts are kept', () => {
  const log = sessionLog();
  for (let number = 0; number <= 1_000; number++) log.emit(ended(`s${number}`, 1));
  expect(log.evicted).toBe(1);
  for (let attempt = 2; attempt <= 101; attempt++) log.emit(ended('s1000', attempt));
  expect(log.session('s1000')?.redrive.omitted_attempts).toBe(1);
});

test('keeps the first attempt and the newest', () => {
  const log = sessionLog({ maxAttempts: 3 });
  for (let attempt = 1; attempt <= 6; attempt++) log.emit(ended('a', attempt));
  const document = log.session('a');
  expect(document?.attempts.map((attempt) => attempt.attempt_number)).toStrictEqual([1, 5, 6]);
  expect(document).toMatchObject({
    total_attempts: 3,
    retry_count: 2,
    redrive: { omitted_attempts: 3 },
  });
  const single = sessionLog({ maxAttempts: 1 });
  for (let attempt = 1; attempt <= 3; attempt++) single.emit(ended('a', attempt));
  expect(single.session('a')?.attempts[0]?.attempt_number).toBe(3);
});

test('describes errors, with their stack when debugging', () => {
  expect(sessionLog().describe(new Error('boom'))).toStrictEqual({
    type: 'Error',
    message: 'boom',
  });
  expect(sessionLog({ debug: true }).describe(new Error('boom')).stackTrace).toContain('boom');
});

test('bad options are reported all at once', () => {
  expect(() => sessionLog({ maxSessions: 0, maxAttempts: Number.NaN })).toThrow(
    /^Invalid session log: maxSessions .*; maxAttempts .*\.$/,
  );
});
