import type { JobState } from '@redrive/durable';
import { expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { storeUnderTest } from '../testing/store-under-test.ts';

it('has no SQL from outside in its statements: what is no state finds nothing', async () => {
  const { store, close } = await storeUnderTest();
  await store.apply([enqueueOf('a')]);
  // As a caller in plain JavaScript might.
  const states = ['ready) + (SELECT 1'] as unknown as JobState[];
  expect(await store.jobs({ states }, { limit: 10 })).toEqual({ jobs: [] });
  expect((await store.jobs({ states: [...states, 'ready'] }, { limit: 10 })).jobs).toHaveLength(1);
  await close?.();
});
