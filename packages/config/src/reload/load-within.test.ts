import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { LOAD_TIMEOUT_MS, loadWithin } from './load-within.ts';

const options = { file: 'redrive.yaml' };

it('gives up on a file system that does not answer, without holding the process', async () => {
  const clock = virtualClock();
  const loading = loadWithin(clock, options, () => new Promise(() => {}));
  expect(clock.holdingTimers).toBe(0);
  await clock.advance(LOAD_TIMEOUT_MS);
  expect(await loading).toMatchObject({
    problems: [{ code: 'unreadable_file', message: /more than 10 s/ }],
  });
});

it('leaves no timer behind, whatever happens', async () => {
  const clock = virtualClock();
  const loaded = { problems: [], files: ['a'] };
  expect(await loadWithin(clock, options, async () => loaded)).toBe(loaded);
  const failed = await loadWithin(clock, options, () => Promise.reject(new Error('a defect')));
  expect(failed.problems).toMatchObject([{ severity: 'error', message: /a defect/ }]);
  expectNoTimers(clock);
});
