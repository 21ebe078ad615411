import { expect, test } from 'vitest';
import { isAlive, isRunning } from './is-running.ts';

/** As Linux writes it, up to the number of threads and one field more. */
const statOf = (state: string, threads: number) =>
  `4242 (redis (a) server) ${state} 1 4242 4242 0 -1 4194560 947 0 0 0 2 1 0 0 20 0 ${threads} 0`;

test.each([
  ['S', 5, true],
  ['R', 1, true],
  ['Z', 1, false],
  ['X', 1, false],
])('a process in state %s with %i threads', (state, threads, alive) => {
  expect(isAlive(statOf(state, threads))).toBe(alive);
});

test('a killed process lives until its last thread has ended: the thread still holds its port', () => {
  expect(isAlive(statOf('Z', 3))).toBe(true);
});

test('this process runs, and one that does not exist does not', () => {
  expect([isRunning(process.pid), isRunning(2 ** 30)]).toEqual([true, false]);
});
