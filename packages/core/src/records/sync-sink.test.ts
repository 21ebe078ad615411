import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { retry } from '../run/retry.ts';
import { hashPolicy } from './policy-hash.ts';
import type { RetryRecord } from './record.ts';
import { syncSink } from './sync-sink.ts';

const record: RetryRecord = {
  kind: 'breaker_changed',
  atMs: 0,
  key: 'db',
  from: 'closed',
  to: 'open',
  failureCount: 5,
};

test('hands records over at once, and describes what goes into them', () => {
  const records: RetryRecord[] = [];
  const sink = syncSink((one) => records.push(one));
  sink.emit(record);
  expect(records).toStrictEqual([record]);
  expect(sink.describe(new Error('token=abc'))).toStrictEqual({
    type: 'Error',
    message: 'token=[masked]',
  });
  expect(sink.describeContext({ user: 1, token: 'abc' })).toStrictEqual({
    user: 1,
    token: '[masked]',
  });
  expect(sink.hashPolicy({ a: 1 })).toBe(hashPolicy({ a: 1 }));
});

test('is told about a session from its start to its end, without secrets', async () => {
  const records: RetryRecord[] = [];
  const clock = virtualClock({ startMs: 1_000 });
  const failOnce = ({ attempt }: { attempt: number }) => {
    if (attempt === 1) throw new Error('token=abc');
    return attempt;
  };
  const events = syncSink((one) => records.push(one));
  const options = { clock, events, context: { user: 1, password: 'hunter2' } };
  const result = retry(failOnce, { baseDelayMs: 100, jitter: 'none' }, options);
  await clock.runAll();
  expect(await result).toBe(2);
  expect(records.map(({ kind }) => kind)).toStrictEqual([
    'attempt_started',
    'attempt_ended',
    'attempt_started',
    'attempt_ended',
    'session_ended',
  ]);
  expect(records[1]).toMatchObject({
    session: {
      context: { user: 1, password: '[masked]' },
      policyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    error: { type: 'Error', message: 'token=[masked]' },
  });
  expect(records[2]).toMatchObject({ delayMs: 100, lastError: { message: 'token=[masked]' } });
});

test('keeps stacks when debugging', () => {
  const sink = syncSink(() => {}, { debug: true });
  expect(sink.describe(new Error('boom')).stackTrace).toContain('boom');
});

test('a context that cannot be read is an object still', () => {
  const { proxy, revoke } = Proxy.revocable<Record<string, unknown>>({}, {});
  revoke();
  expect(syncSink(() => {}).describeContext(proxy)).toBeTypeOf('object');
});
