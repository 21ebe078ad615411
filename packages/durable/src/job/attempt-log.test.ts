import { expect, test } from 'vitest';
import { addAttempt, type JobAttempt, LongerLog, MAX_KEPT_ATTEMPTS } from './attempt-log.ts';

// Only the number matters here.
const attempt = (number: number) => ({ attempt: number }) as JobAttempt;

test.each([0, 1, MAX_KEPT_ATTEMPTS])(
  'a longer log of %i attempts is the log with one more',
  (size) => {
    const log = { kept: Array.from({ length: size }, (_, at) => attempt(at + 1)), omitted: 2 };
    const longer = new LongerLog(log, attempt(size + 1));
    const { kept, omitted } = addAttempt(log, attempt(size + 1));
    expect([longer.kept, longer.omitted]).toEqual([kept, omitted]);
    expect(longer.kept).toBe(longer.kept);
  },
);
