import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { expect, test } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { START_MS } from '../testing/job-store.ts';
import { attemptLines } from './attempt-lines.ts';

type Attempt = AnswerOf<typeof ACTIONS.jobs.show>['attempts'][number];

function attempt(number: number, atMs: number, some: Partial<Attempt> = {}): Attempt {
  return {
    generation: 1,
    attempt_number: number,
    rung: 'job',
    timestamp: new Date(START_MS + atMs).toISOString(),
    duration: 2,
    delay: 0,
    success: false,
    error: null,
    error_class: null,
    entry: 'failed',
    action: 'retry',
    reason: 'retryable_error',
    next_delay: 0.298,
    worker: 'w',
    probe: false,
    policy_id: null,
    policy_hash: 'p',
    max_attempts: 3,
    ...some,
  };
}

function textOf(attempts: readonly Attempt[], omitted_attempts = 0): string {
  const lines = attemptLines(screenOf({}, {}), { attempts: [...attempts], omitted_attempts });
  return lines.join(' ').replaceAll(/\s+/g, ' ');
}

const PARKED = {
  entry: 'blocked',
  action: 'park',
  reason: 'breaker_open',
  next_delay: 86_400,
} as const;

test('an attempt after a parked one says how long the job was parked, not the delay before that', () => {
  const text = textOf([
    attempt(1, 0),
    attempt(2, 2_298, { ...PARKED, delay: 0.298 }),
    attempt(3, 18_298, { delay: 0.298 }),
  ]);
  expect(text).toContain('breaker_open: parked until the breaker closes, or until it is the probe');
  expect(text).toContain('2 2027-01-31 08:00:02Z, after a wait of 298 ms: did not start');
  expect(text).toContain('3 2027-01-31 08:00:18Z, after it was parked for 14 s, took');
});

test('a failed probe is shown as one, though nothing was charged for it', () => {
  const probe = {
    ...PARKED,
    error: { type: 'Error', message: 'down', stack_trace: null },
    probe: true,
  };
  expect(textOf([attempt(1, 0, probe)])).toContain(
    '1 2027-01-31 08:00:00Z, took 2 s: probe failed, not charged Error: down breaker_open: parked',
  );
});

test('a job that was sent again was not parked meanwhile; nor is a left-out attempt taken for the one before', () => {
  const again = attempt(1, 18_298, { generation: 2 });
  expect(textOf([attempt(1, 0, PARKED), again])).not.toContain('was parked for');
  expect(textOf([attempt(1, 0, PARKED), attempt(9, 18_298)], 7)).not.toContain('was parked for');
});

test('an attempt whose worker stopped answering says whether it was charged, and why', () => {
  const lost = { reason: 'lease_lost', next_delay: 0 } as const;
  expect(textOf([attempt(1, 0, { ...lost, entry: 'process_lost' })])).toContain(
    'its worker stopped answering; it was not claimed alone, so no attempt was charged',
  );
  expect(textOf([attempt(1, 0, { ...lost, entry: 'lease_lost' })])).toContain(
    'its worker stopped answering while it held only this job: one attempt charged',
  );
});
