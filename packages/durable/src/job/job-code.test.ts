import { expect, it } from 'vitest';
import { decodeSpec, encodeSpec } from './job-code.ts';

it('fields that no statement searches come back, and cost nothing where they have their default value', () => {
  expect(encodeSpec({ id: 'a' })).toBeNull();
  const defaults = { tags: [], headers: {}, sessionId: 'a', idempotencyKey: 'a' };
  expect(encodeSpec({ id: 'a', ...defaults })).toBeNull();
  expect(decodeSpec(null)).toEqual({});
  for (const spec of [
    { idempotencyKey: 'other' },
    { sessionId: 'other' },
    { tags: ['x'], headers: { a: 'b' } },
    { policyId: 'p', correlationId: 'c', traceId: 't', uniqueKey: 'u', limitKey: 'l' },
    { origin: { rung: 'event', source: 's' } as const },
    { policyId: '' },
  ]) {
    expect(decodeSpec(encodeSpec({ id: 'a', ...defaults, ...spec }))).toEqual(spec);
  }
});

it('a text that is not an object is refused', () => {
  expect(() => decodeSpec('1')).toThrow('it is not an object');
  expect(() => decodeSpec('null')).toThrow('it is not an object');
});
