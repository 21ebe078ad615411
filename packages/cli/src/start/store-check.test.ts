import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { StoreTrouble } from './store-check.ts';

const fails = { kind: 'store_unavailable', error: new Error('disk full'), retryInMs: 100 } as const;

test('a worker that cannot write is not well until the store is back', () => {
  const trouble = new StoreTrouble(virtualClock());
  expect(trouble.text).toBeUndefined();
  trouble.observe(fails);
  trouble.observe({ kind: 'pruned', deleted: 1 });
  expect(trouble.text).toBe('disk full');
  trouble.observe({ kind: 'store_back', afterMs: 100 });
  expect(trouble.text).toBeUndefined();
});

test('trouble that nobody speaks of any more is over', () => {
  const clock = virtualClock();
  const trouble = new StoreTrouble(clock);
  trouble.observe(fails);
  clock.tick(15_000);
  trouble.observe(fails);
  clock.tick(15_000);
  expect(trouble.text).toBe('disk full');
  clock.tick(100);
  expect(trouble.text).toBeUndefined();
});
