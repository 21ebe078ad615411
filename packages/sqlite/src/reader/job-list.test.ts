import type { JobState } from '@redrive/durable';
import { expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { storeUnderTest } from '../testing/store-under-test.ts';

it('has no SQL from outside in its statements: an unknown state is refused', async () => {
  const { store, close } = await storeUnderTest();
  await store.apply([enqueueOf('a')]);
  // As a caller in plain JavaScript might.
  const states = ['ready) + (SELECT 1'] as unknown as JobState[];
  for (const asked of [states, [...states, 'ready' as const]]) {
    await expect(store.jobs({ states: asked }, { limit: 10 })).rejects.toMatchObject({
      code: 'invalid_option',
    });
  }
  await close?.();
});
