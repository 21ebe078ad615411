import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { TimeLimit } from './time-limit.ts';

function limitOf(timeoutMs: number) {
  const clock = virtualClock();
  const overdue: string[] = [];
  const limit = new TimeLimit<string>(timeoutMs, (thing) => overdue.push(thing), clock);
  return { clock, overdue, limit };
}

it('calls for each thing that takes too long, when its own time is up', async () => {
  const { clock, overdue, limit } = limitOf(100);
  limit.begin('a');
  await clock.advance(60);
  limit.begin('b');
  await clock.advance(39);
  expect(overdue).toEqual([]);
  await clock.advance(1);
  expect(overdue).toEqual(['a']);
  await clock.advance(60);
  expect(overdue).toEqual(['a', 'b']);
  expectNoTimers(clock);
});

it('ignores calls that are over, with one timer for all of them', async () => {
  const { clock, overdue, limit } = limitOf(100);
  for (const thing of ['a', 'b', 'c']) limit.begin(thing);
  expect(clock.pendingTimers).toBe(1);
  limit.end('a');
  limit.end('c');
  limit.end('nothing');
  await clock.advance(1_000);
  expect(overdue).toEqual(['b']);
  limit.begin('d');
  await clock.advance(100);
  expect(overdue).toEqual(['b', 'd']);
});

it('forgets everything when it is stopped, and can go on', async () => {
  const { clock, overdue, limit } = limitOf(100);
  limit.begin('a');
  limit.stop();
  expectNoTimers(clock);
  limit.begin('b');
  await clock.advance(100);
  expect(overdue).toEqual(['b']);
});

it('sets no timer where there is no limit', () => {
  const { clock, limit } = limitOf(Infinity);
  limit.begin('a');
  expectNoTimers(clock);
});
