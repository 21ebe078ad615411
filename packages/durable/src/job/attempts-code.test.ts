import { expect, it } from 'vitest';
import { addAttempt, type JobAttempt, MAX_KEPT_ATTEMPTS, NO_ATTEMPTS } from './attempt-log.ts';
import { appendAttempt, decodeAttempts, encodeAttempts } from './attempts-code.ts';

const success: JobAttempt = {
  generation: 2,
  attempt: 3,
  startedAtMs: 1_767_225_600_000,
  durationMs: 12,
  delayBeforeMs: 500,
  entry: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
  worker: 'host-17-a',
  policyHash: 'sha-1',
  maxAttempts: 5,
};

const failure: JobAttempt = {
  ...success,
  entry: 'failed',
  action: 'retry',
  reason: 'retryable_error',
  delayMs: 2_000,
  errorClass: 'retryable',
  error: { type: 'Error', message: 'null' },
  input: {
    account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
    outcome: {
      kind: 'failure',
      errorClass: 'retryable',
      effect: 'unknown',
      retryAfterMs: Infinity,
    },
    rung: 'job',
    horizonMs: Infinity,
    canHandOver: false,
    timeLeftMs: Infinity,
    allowance: Infinity,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: 0.5,
  },
};

it.each<[string, JobAttempt]>([
  ['a success', success],
  ['a success that was followed by a wait', { ...success, delayMs: 0 }],
  ['one that names its policy', { ...success, policyId: 'runs.default' }],
  ['a failure that names its policy', { ...failure, policyId: 'a:b,"c"' }],
  ['one with a class only', { ...success, errorClass: 'final' }],
  ['one with an error only', { ...success, error: { type: 'E', message: '' } }],
  ['a failure with all that its decision rests on', failure],
  ['one of a known version of decide', { ...failure, decideVersion: 2 }],
  ['one after a hand-over', { ...failure, decideVersion: 2, attemptsBefore: 4 }],
  ['a success after a hand-over', { ...success, attemptsBefore: 4 }],
  ['one of a call', { ...failure, input: undefined, rung: 'call', decideVersion: 2 }],
])('comes back as it was: %s', (_, attempt) => {
  const log = { kept: [success, attempt], omitted: 7 };
  expect(decodeAttempts(encodeAttempts(log), 9)).toEqual(log);
});

it('keeps nothing where there was none', () => {
  expect(encodeAttempts(NO_ATTEMPTS)).toBeNull();
  expect(decodeAttempts(null, 0)).toBe(NO_ATTEMPTS);
  expect(decodeAttempts(encodeAttempts({ kept: [], omitted: 1 }), 1)).toEqual({
    kept: [],
    omitted: 1,
  });
});

it('adds an attempt to a log without reading it, as long as none has to go', () => {
  let log = NO_ATTEMPTS;
  for (let n = 0; n <= MAX_KEPT_ATTEMPTS; n++) {
    const attempt = { ...(n % 2 === 0 ? failure : success), attempt: n + 1 };
    const text = appendAttempt({ to: decodeAttempts(encodeAttempts(log), n), attempt });
    log = addAttempt(log, attempt);
    expect(text).toBe(n < MAX_KEPT_ATTEMPTS ? encodeAttempts(log) : undefined);
  }
});

it.each<[string, Partial<NonNullable<JobAttempt['input']>>]>([
  ['a deadline', { timeLeftMs: 1_000 }],
  ['a budget that is used up', { budgetAllows: false }],
  ['an open breaker', { breakerOpenMs: 5, onUnknown: 'ask' }],
  ['another rung', { rung: 'call', horizonMs: 3, canHandOver: true, allowance: 2 }],
  ['no failure', { outcome: { kind: 'interrupted' } }],
  ['time without a charge', { unchargedForMs: 60_000 }],
])('keeps what is unusual about a decision: %s', (_, unusual) => {
  const input = { ...(failure.input as NonNullable<JobAttempt['input']>), ...unusual };
  const log = { kept: [{ ...failure, input }], omitted: 0 };
  expect(decodeAttempts(encodeAttempts(log), 1)).toEqual(log);
});

it('names the worker and the policy of the first attempt once, however many have them', () => {
  const policyId = 'runs.default';
  const kept = [1, 2, 3].map((attempt) => ({ ...failure, policyId, attempt }));
  const text = encodeAttempts({ kept, omitted: 0 }) ?? '';
  expect(text.split(failure.worker)).toHaveLength(2);
  expect(text.split(failure.policyHash)).toHaveLength(2);
  expect(text.split('"retryable"')).toHaveLength(4);
  expect(decodeAttempts(text, 3).kept).toEqual(kept);
});

it.each<[string, Partial<JobAttempt>]>([
  ['another worker', { worker: 'host-18-b' }],
  ['a worker whose name begins alike', { worker: 'host-17-a",' }],
  ['another version of the policy', { policyHash: 'sha-2' }],
  ['a policy that is named', { policyId: 'p' }],
  ['another class than its decision', { errorClass: 'final' }],
  ['no class', { errorClass: undefined }],
])('keeps %s, also behind attempts of the first one', (_, other) => {
  const kept = [failure, failure, { ...failure, ...other }, { ...failure, ...other }, failure];
  const text = encodeAttempts({ kept, omitted: 0 });
  expect(decodeAttempts(text, 5).kept).toEqual(kept);
  const appended = kept
    .slice(1)
    .reduce(
      (before, attempt, at) =>
        appendAttempt({ to: decodeAttempts(before, at + 1), attempt }) ?? null,
      encodeAttempts({ kept: [failure], omitted: 0 }),
    );
  expect(appended).toBe(text);
});

it('takes little for a failure', () => {
  expect(encodeAttempts({ kept: [failure], omitted: 0 })?.length).toBeLessThan(220);
});

it('takes little for a job that fails twice', () => {
  const kept = [failure, failure, success];
  expect(encodeAttempts({ kept, omitted: 0 })?.length).toBeLessThan(500);
});

it('takes little for a success', () => {
  expect(encodeAttempts({ kept: [success], omitted: 0 })?.length).toBeLessThan(110);
});
