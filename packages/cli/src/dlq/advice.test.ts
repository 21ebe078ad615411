import { expect, test } from 'vitest';
import { REASON_TEXT } from '../jobs/reason-text.ts';
import { adviceFor } from './advice.ts';

test('a job whose process died in its last attempt: the advice is to look at its handler', () => {
  const advice =
    'Its process died each time it ran alone: look at what the handler does to its process, then send it back.';
  expect(adviceFor('max_attempts_exceeded', 'lease_lost')).toBe(advice);
  expect(adviceFor('lease_lost', 'lease_lost')).toBe(advice);
  expect(adviceFor('max_attempts_exceeded', 'failed')).toContain('what it talks to works again');
  expect(adviceFor('effect_unknown', 'lease_lost')).toContain('Find that out first');
});

test('a job out of allowance: other calls in the same attempt used up its retries', () => {
  const text = 'other calls in the same attempt used up its retries';
  expect(REASON_TEXT.allowance_exhausted).toBe(text);
  expect(adviceFor('allowance_exhausted', 'failed').toLowerCase()).toContain(text);
});
