import { expect, test } from 'vitest';
import { definePolicy } from '../policy/define-policy.ts';
import { delaysOf } from './delay.ts';

const shape = { maxAttempts: 4, baseDelayMs: 100, maxDelayMs: 1_000 } as const;

test('each wait has the attempt that follows it and the band of its jitter', () => {
  expect([...delaysOf(definePolicy({ ...shape, jitter: 'full', jitterAmount: 0.5 }))]).toEqual([
    { attempt: 2, nominal: 100, min: 50, max: 100 },
    { attempt: 3, nominal: 200, min: 100, max: 200 },
    { attempt: 4, nominal: 400, min: 200, max: 400 },
  ]);
  const widening = [...delaysOf(definePolicy({ ...shape, jitter: 'decorrelated' }))];
  expect(widening.map(({ max }) => max)).toEqual([300, 900, 1_000]);
  expect([...delaysOf(definePolicy({ ...shape, enabled: false }))]).toEqual([]);
});
