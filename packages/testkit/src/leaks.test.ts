import { expect, test } from 'vitest';
import { countAbortListeners, expectNoTimers, trackUnhandledRejections } from './leaks.ts';
import { virtualClock } from './virtual-clock.ts';

test('a pending timer is reported until it fires or is cancelled', () => {
  const clock = virtualClock();
  expectNoTimers(clock);
  clock.setTimer(20, () => {});
  const other = clock.setTimer(50, () => {});
  expect(() => expectNoTimers(clock)).toThrow('2 timer(s) left behind, the next due in 20 ms');
  clock.tick(20);
  expect(() => expectNoTimers(clock)).toThrow('1 timer(s) left behind, the next due in 30 ms');
  other.cancel();
  expectNoTimers(clock);
});

test('abort listeners are counted while they are there', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const listener = (): void => {};
  const removal = new AbortController();
  expect(countAbortListeners(signal)).toBe(0);
  signal.addEventListener('abort', listener);
  signal.addEventListener('abort', listener);
  signal.addEventListener('abort', () => {}, { once: true });
  signal.addEventListener('abort', () => {}, { signal: removal.signal });
  signal.addEventListener('other', listener);
  expect(countAbortListeners(signal)).toBe(3);
  removal.abort();
  expect(countAbortListeners(signal)).toBe(2);
  controller.abort();
  expect(countAbortListeners(signal)).toBe(1);
  signal.removeEventListener('abort', listener);
  expect(countAbortListeners(signal)).toBe(0);
});

test('a rejection that nobody hears is seen, one that is handled is not', async () => {
  const before = process.listeners('unhandledRejection');
  const rejections = trackUnhandledRejections();
  try {
    const unheard = new Error('unheard');
    void Promise.resolve().then(() => Promise.reject(unheard));
    Promise.reject(new Error('heard')).catch(() => {});
    expect(await rejections.seen()).toEqual([unheard]);
  } finally {
    rejections.stop();
    rejections.stop();
  }
  expect(process.listeners('unhandledRejection')).toEqual(before);
});
