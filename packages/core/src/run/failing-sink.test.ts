import { type EventSink, type RetryRecord, retry, syncSink } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import { SessionRecorder } from '../records/session-recorder.ts';

const policy = { baseDelayMs: 10, jitter: 'none' } as const;

/** A sink of its own make, some of whose methods throw. */
function sinkThatFailsIn(...methods: (keyof EventSink)[]) {
  const records: RetryRecord[] = [];
  const sink: EventSink = {
    ...syncSink((record) => records.push(record)),
    open: (session) => new SessionRecorder(session, sink),
  };
  for (const method of methods) {
    sink[method] = () => {
      throw new Error(`${method} is broken`);
    };
  }
  return { events: sink, records };
}

describe.each(['emit', 'describe', 'describeContext', 'hashPolicy', 'open'] as const)(
  'trap: a sink that throws in %s fails the call',
  (method) => {
    it('does not: the call succeeds', async () => {
      const clock = virtualClock();
      const { events } = sinkThatFailsIn(method);
      const operation = vi.fn(({ attempt }: { attempt: number }) =>
        attempt < 3 ? Promise.reject(new Error('down')) : 'up',
      );
      const call = retry(operation, policy, { clock, events, context: { order: 7 } });
      await clock.runAll();
      expect(await call).toBe('up');
      expect(operation).toHaveBeenCalledTimes(3);
    });

    it('does not: the error that comes out is the call’s own', async () => {
      const { events } = sinkThatFailsIn(method);
      const final = new TypeError('x is not a function');
      const call = retry(() => Promise.reject(final), policy, { events, context: { order: 7 } });
      await expect(call).rejects.toBe(final);
    });
  },
);

it('still records what it can when errors cannot be described', async () => {
  const { events, records } = sinkThatFailsIn('describe');
  const atOnce = { backoff: 'immediate', maxAttempts: 2 } as const;
  await retry(({ attempt }) => (attempt === 1 ? Promise.reject('down') : 'up'), atOnce, { events });
  expect(records.map(({ kind }) => kind)).toEqual([
    'attempt_started',
    'attempt_started',
    'attempt_ended',
    'session_ended',
  ]);
});

it('tells of no error rather than of one from another attempt', async () => {
  const { events, records } = sinkThatFailsIn();
  const { describe: describeError } = events;
  events.describe = (error) => {
    if (error === 'second') throw new Error('cannot describe it');
    return describeError(error);
  };
  const operation = ({ attempt }: { attempt: number }) =>
    attempt === 3 ? 'up' : Promise.reject(attempt === 1 ? 'first' : 'second');
  await retry(operation, { backoff: 'immediate' }, { events });
  const starts = records.filter((record) => record.kind === 'attempt_started');
  expect(starts.map(({ lastError }) => lastError?.message)).toEqual([
    undefined,
    'first',
    undefined,
  ]);
});
