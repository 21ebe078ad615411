import { virtualClock } from '@redrive/testkit';
import { beforeEach, expect, it, vi } from 'vitest';
import { LogWatch } from './log-watch.ts';

let write = () => {};
let closed = false;

vi.mock('node:fs', () => ({
  watch: (_path: string, _options: object, listener: () => void) => {
    write = listener;
    return {
      on: () => {},
      close: () => {
        closed = true;
      },
    };
  },
}));

const clock = virtualClock();
let looks: number[] = [];
let startMs = 0;
let watcher: LogWatch;

beforeEach(() => {
  looks = [];
  closed = false;
  startMs = clock.now();
  watcher = new LogWatch('log', () => looks.push(clock.now() - startMs), clock);
  watcher.start();
});

it('looks at once, and some more times, because a commit can be seen after it was written', async () => {
  write();
  await clock.advance(1_000);
  expect(looks).toEqual([0, 5, 25, 105]);
});

it('looks as often after the last of many writes, with one timer', async () => {
  for (const waitMs of [0, 2, 1, 22]) {
    await clock.advance(waitMs);
    write();
  }
  await clock.advance(1_000);
  expect(looks).toEqual([0, 2, 3, 5, 10, 25, 30, 35, 55, 135]);
});

it('does not look any more once it is stopped', async () => {
  write();
  watcher.stop();
  await clock.advance(1_000);
  expect(looks).toEqual([0]);
  expect(closed).toBe(true);
});
