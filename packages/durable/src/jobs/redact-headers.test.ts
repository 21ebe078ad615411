import { expect, test } from 'vitest';
import { redactHeaders } from './redact-headers.ts';

const HEX = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each([
  ['authorization', 'Bearer abc', '[masked]'],
  ['Cookie', 'sid=1', '[masked]'],
  ['x-api-key', 'k', '[masked]'],
  ['x-otp', '1', '1'],
  ['otp', '1', '[masked]'],
  ['callback', 'https://bob:hunter2@x.example/y', 'https://[masked]@x.example/y'],
  ['x-checksum', HEX, '[masked]'],
  ['x-card', '4111 1111 1111 1111', '[masked]'],
  ['content-type', 'application/json', 'application/json'],
])('%s: %s is stored as %s', (name, value, stored) => {
  expect(redactHeaders({ [name]: value })).toEqual({ [name]: stored });
});

test.each(['traceparent', 'X-B3-TraceId', 'x-request-id', 'x-amzn-trace-id', 'redrive-session'])(
  '%s stays: whoever follows a trace needs it',
  (name) => {
    const headers = { [name]: `00-${HEX}-00f067aa0ba902b7-01` };
    expect(redactHeaders(headers)).toEqual(headers);
  },
);

test('long values stay whole, and secrets in names go', () => {
  const long = 'word '.repeat(3_000);
  expect(redactHeaders({ long })).toEqual({ long });
  expect(redactHeaders({ ghp_abcdefghijklmno1234: 'x' })).toEqual({ '[masked]': 'x' });
  expect(Object.keys(redactHeaders(JSON.parse('{"__proto__":"x"}')))).toEqual(['__proto__']);
});
