import { expect, test } from 'vitest';
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

test('keeps stacks when debugging', () => {
  const sink = syncSink(() => {}, { debug: true });
  expect(sink.describe(new Error('boom')).stackTrace).toContain('boom');
});

test('a context that cannot be read is an object still', () => {
  const { proxy, revoke } = Proxy.revocable<Record<string, unknown>>({}, {});
  revoke();
  expect(syncSink(() => {}).describeContext(proxy)).toBeTypeOf('object');
});
