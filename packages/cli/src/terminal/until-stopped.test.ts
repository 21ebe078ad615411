import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { StopSignal } from './signals.ts';
import { onSignals, untilStopped } from './until-stopped.ts';

function signalling() {
  const clock = virtualClock();
  const happened: string[] = [];
  let send: (signal: StopSignal) => void = () => {};
  const io = {
    clock,
    exit: (code: number) => happened.push(`exit ${code}`),
    takeSignals: (listener: (signal: StopSignal) => void) => {
      send = listener;
      return () => happened.push('released');
    },
  };
  return { io, clock, happened, send: (signal: StopSignal) => send(signal) };
}

test('each signal has its own step', () => {
  const { io, happened, send } = signalling();
  const steps = ['first', 'second', 'third'].map((step) => () => void happened.push(step));
  const release = onSignals(io, steps);
  for (let n = 0; n < 4; n++) send('SIGTERM');
  expect(happened).toEqual(['first', 'second', 'third']);
  release();
  expect(happened.at(-1)).toBe('released');
});

test('one Ctrl-C that npm passes on once more is one', async () => {
  const { io, clock, happened, send } = signalling();
  onSignals(
    io,
    ['first', 'second'].map((step) => () => void happened.push(step)),
  );
  send('SIGINT');
  await clock.advance(50);
  send('SIGINT');
  await clock.advance(400);
  expect(happened).toEqual(['first']);
  send('SIGINT');
  expect(happened).toEqual(['first', 'second']);
});

test('the first Ctrl-C aborts the signal of a command, and the second one ends its process', async () => {
  const { io, clock, happened, send } = signalling();
  const hangs = Promise.withResolvers<string>();
  const ended = untilStopped(io, (stopped) => {
    stopped.addEventListener('abort', () => happened.push('aborted'));
    return hangs.promise;
  });
  send('SIGINT');
  expect(happened).toEqual(['aborted']);
  await clock.advance(1_000);
  send('SIGINT');
  expect(happened).toEqual(['aborted', 'exit 130']);
  hangs.resolve('done');
  expect(await ended).toBe('done');
  expect(happened.at(-1)).toBe('released');
});
