import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { type ListPage, RowWindows, WINDOW } from './row-windows.ts';

const TOTAL = 100_000;

/** Rows 0 to 99,999: the time of each is its number, and so is its cursor. Answers come when `answer` is called. */
function list() {
  const clock = virtualClock();
  const asked: (() => void)[] = [];
  const pageFrom = (from: number, limit: number) =>
    new Promise<ListPage<number>>((resolve) => {
      const rows = Array.from({ length: Math.min(limit, TOTAL - from) }, (_, n) => from + n);
      const next = from + limit < TOTAL ? String(from + limit) : null;
      asked.push(() => resolve({ rows, next }));
    });
  const windows = new RowWindows<number>(
    {
      key: 'all',
      total: TOTAL,
      page: (after, limit) => pageFrom(Number(after ?? 0), limit),
      pageAt: pageFrom,
      timeOf: (row) => row,
      oldestMs: TOTAL,
    },
    () => undefined,
  );
  const answer = async () => {
    for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
      next();
      await clock.advance(0);
    }
  };
  return { windows, answer };
}

test('the end of a long list is reached by one jump, and the rows behind it by cursors', async () => {
  const { windows, answer } = list();
  windows.want(0, 20);
  await answer();
  windows.want(TOTAL - 20, TOTAL - 1);
  await answer();
  expect([windows.row(TOTAL - 20), windows.row(TOTAL - 1)]).toEqual([TOTAL - 20, TOTAL - 1]);
});

test('End, then Home before the end has answered: the rows at the top are shown', async () => {
  const { windows, answer } = list();
  windows.want(0, 20);
  await answer();
  windows.want(TOTAL - 20, TOTAL - 1);
  windows.want(0, 20);
  await answer();
  expect([windows.row(0), windows.row(20)]).toEqual([0, 20]);
});

test('rows on both sides of the border of two windows are loaded by one wish', async () => {
  const { windows, answer } = list();
  windows.want(WINDOW - 10, WINDOW + 10);
  await answer();
  expect([windows.row(WINDOW - 10), windows.row(WINDOW + 10)]).toEqual([WINDOW - 10, WINDOW + 10]);
});
