import { expect, test } from 'vitest';
import { REASON_TEXT } from '../jobs/next-step.ts';
import { adviceFor } from './letter-lines.ts';

test('a job whose process died in its last attempt: the advice is to look at its handler', () => {
  const advice =
    'Its worker process ended while it ran this job and no other, so the job is the likely cause: find out why the handler ends its process, then requeue it.';
  expect(adviceFor('max_attempts_exceeded', 'lease_lost')).toBe(advice);
  expect(adviceFor('lease_lost', 'lease_lost')).toBe(advice);
  expect(adviceFor('max_attempts_exceeded', 'failed')).toContain('its dependency works again');
  expect(adviceFor('effect_unknown', 'lease_lost')).toContain('Find out first');
});

test('a job out of allowance: other calls in the same attempt used up its retries', () => {
  const text = 'other calls in the same attempt used up its retries';
  expect(REASON_TEXT.allowance_exhausted).toBe(text);
  expect(adviceFor('allowance_exhausted', 'failed').toLowerCase()).toContain(text);
});
