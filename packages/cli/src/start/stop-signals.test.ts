import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { StopSignal } from '../terminal/signals.ts';
import { stopSignals } from './stop-signals.ts';

function setUp() {
  const clock = virtualClock();
  let send: (signal: StopSignal) => void = () => {};
  const happened: string[] = [];
  const io = {
    takeSignals: (listener: (signal: StopSignal) => void) => {
      send = listener;
      return () => happened.push('released');
    },
  };
  const signals = stopSignals(io, clock, () => happened.push('third'));
  void signals.first.then(() => happened.push('first'));
  void signals.second.then(() => happened.push('second'));
  return { clock, signals, happened, send: (signal: StopSignal) => send(signal) };
}

test('each signal is stricter than the one before', async () => {
  const { clock, signals, happened, send } = setUp();
  send('SIGTERM');
  send('SIGTERM');
  send('SIGTERM');
  await clock.advance(0);
  expect(happened).toEqual(['third', 'first', 'second']);
  signals.release();
  expect(happened.at(-1)).toBe('released');
});

test('one Ctrl-C that npm passes on once more is one', async () => {
  const { clock, happened, send } = setUp();
  send('SIGINT');
  await clock.advance(50);
  send('SIGINT');
  await clock.advance(400);
  expect(happened).toEqual(['first']);
  send('SIGINT');
  await clock.advance(0);
  expect(happened).toEqual(['first', 'second']);
});
