import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { Io } from './io.ts';
import { progress, progressText } from './progress.ts';
import { screenOf } from './screen.ts';

function written(isTTY: boolean) {
  const clock = virtualClock();
  const lines: string[] = [];
  // It touches nothing else of it.
  const io = {
    clock,
    stderr: (text: string) => lines.push(text),
    errorScreen: screenOf({ isTTY, columns: 60 }, {}),
  } as unknown as Io;
  return { clock, lines, shown: progress(io, 'dead letters') };
}

test.each([
  [4_812, 4_000, 0.38, '4,812 dead letters, 38 %, 1,203 a second, 7 s left'],
  [10, 1_000, undefined, '10 dead letters, 10 a second'],
  [0, 0, 0, '0 dead letters, 0 a second'],
  [5, 1_000, 1, '5 dead letters, 100 %, 5 a second, 0 left'],
])('%i after %i ms', (done, elapsedMs, fraction, text) => {
  expect(progressText('dead letters', done, elapsedMs, fraction)).toBe(text);
});

test('one line, written over at most five times a second, and taken away', async () => {
  const { clock, lines, shown } = written(true);
  for (let done = 0; done < 100; done++) {
    await clock.advance(10);
    shown.update(done, done / 100);
  }
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^\r.{59}$/);
  shown.end();
  expect(lines.at(-1)).toBe(`\r${' '.repeat(59)}\r`);
});

test('nothing where there is no terminal', async () => {
  const { clock, lines, shown } = written(false);
  await clock.advance(1_000);
  shown.update(1, 0.5);
  shown.end();
  expect(lines).toEqual([]);
});
