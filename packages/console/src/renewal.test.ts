import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { Change } from './live.ts';
import { mayBeOf, Renewal } from './renewal.ts';

function renewal() {
  const clock = virtualClock();
  const is = { busy: false };
  const readAt: number[] = [];
  const of = new Renewal(
    clock,
    () => is.busy,
    () => readAt.push(clock.now()),
  );
  return { clock, is, readAt, of };
}

test('20 changes in a second are read once', () => {
  const { clock, readAt, of } = renewal();
  for (let change = 0; change < 60; change++) {
    of.noteChange();
    clock.tick(50);
  }
  expect(readAt).toEqual([1_000, 2_000, 3_000]);
});

test('a load under way ends before its changes are read again, however long it takes', () => {
  const { clock, is, readAt, of } = renewal();
  is.busy = true;
  of.noteChange();
  clock.tick(5_500);
  expect(readAt).toEqual([]);
  is.busy = false;
  clock.tick(10_000);
  expect(readAt).toEqual([6_000]);
});

test('nothing is read after a stop', () => {
  const { clock, readAt, of } = renewal();
  of.noteChange();
  of.stop();
  clock.tick(10_000);
  expect([readAt, clock.pendingTimers]).toEqual([[], 0]);
});

test('the page of a job is read again for its own records, for switches, and where no record is named', () => {
  const record = {} as Extract<Change, { id: string }>['record']; // Only the id and the kind are looked at.
  const changes: readonly Change[] = [
    { kind: 'settle', id: 'mine', record },
    { kind: 'settle', id: 'other', record },
    { kind: 'control', id: 'kill:all', record },
    { kind: 'act', id: 'other', record },
    { kind: 'counts', counts: { settle: 70 } },
  ];
  expect(changes.map((change) => mayBeOf('mine', change))).toEqual([true, false, true, true, true]);
});
