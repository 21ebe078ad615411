import { retry, syncSink } from '@redrive/core';
import { trackUnhandledRejections } from '@redrive/testkit';
import { expect, it } from 'vitest';

it('survives an async listener that rejects', async () => {
  const rejections = trackUnhandledRejections();
  let heard = 0;
  const events = syncSink(async () => {
    heard++;
    throw new Error('listener');
  });
  expect(await retry(() => 'value', {}, { events })).toBe('value');
  expect(heard).toBeGreaterThan(0);
  expect(await rejections.seen()).toEqual([]);
  rejections.stop();
});
