import { describe, expect, it } from 'vitest';
import { killSwitchOf } from '../control/kill-switch-of.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from './full-store.ts';

describe('something that is not a store', () => {
  it.each([
    ['a promise', Promise.resolve(memoryStore()), 'store is a promise: await openStore(…)'],
    ['an object', {}, 'store must be a store'],
    ['nothing', undefined, 'store must be a store'],
    ['a path', 'jobs.db', 'store must be a store'],
  ])('is refused at once: %s', (_, given, message) => {
    const store = given as FullStore; // As plain JavaScript gives it.
    const refusal = expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining(message),
    });
    expect(() => jobsOn(store, { run: () => 1 })).toThrow(refusal);
    expect(() => killSwitchOf(store, { onStale: 'fail-open' })).toThrow(refusal);
  });
});
