import { expect, test } from 'vitest';
import type { Classification } from './classification.ts';
import { meaning } from './classify-status.ts';
import { classifyKnown } from './known-errors-in-browsers.ts';

const CONTEXT = { attempt: 1, nowMs: 0 };

function classified(causes: readonly unknown[], own?: Classification) {
  return classifyKnown(causes, CONTEXT as Parameters<typeof classifyKnown>[1], () => own);
}

test('a browser asks the own rule first, then the status of each cause', () => {
  expect(classified([{ status: 404 }], meaning('retryable', 'none'))?.errorClass).toBe('retryable');
  expect(classified([{ status: 404 }])?.errorClass).toBe('final');
  expect(classified([new Error('no status'), { status: 502 }])?.errorClass).toBe('retryable');
});

test('a status with a Retry-After limits the rate', () => {
  expect(classified([{ status: 503 }])?.errorClass).toBe('retryable');
  expect(classified([{ status: 503, retryAfterMs: 2_000 }])?.errorClass).toBe('rate_limited');
});

test('an error without a status is unknown in a browser', () => {
  expect(classified([{ code: 'ECONNRESET' }])).toBeUndefined();
});
