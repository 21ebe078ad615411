import { isRetryError, retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

test('a session that a call handed over says so, and names the attempts of the job as such', async () => {
  const { jobs, work, store, clock } = jobStore(virtualClock(START));
  const limited = async () => {
    const headers = { 'retry-after': '1200' };
    throw Object.assign(new Error('slow down'), { status: 429, headers });
  };
  const handOver = { to: jobs.handOver, handler: 'mail', payload: { failures: 1 } };
  const ended = await retry(limited, {}, { clock, sessionId: 's-1', handOver }).catch(
    (error: unknown) => error,
  );
  expect(isRetryError(ended, 'handed_over')).toBe(true);
  await work(1_500_000);
  const { stdout } = await runMain(['audit', 'replay', 's-1'], { store, clock });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('handed over from a call after 1 attempt ');
  expect(text).toContain('job attempt 1 retryable_error');
});
