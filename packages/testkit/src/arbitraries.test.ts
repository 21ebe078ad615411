import { definePolicy } from '@redrive/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { policies, thrownValues } from './arbitraries.ts';

test('every policy is valid', () => {
  fc.assert(
    fc.property(policies(), (policy) => {
      definePolicy(policy);
    }),
    { numRuns: 10_000 },
  );
});

test('every field of a policy is set at times and left out at times, but for functions', () => {
  const seen = fc.sample(policies(), { numRuns: 500, seed: 1 });
  const fields = Object.keys(definePolicy()).filter(
    (field) => !['name', 'description', 'classify', 'classifyResult'].includes(field),
  );
  const setIn = (field: string) => seen.filter((policy) => Object.hasOwn(policy, field)).length;
  expect(fields.filter((field) => setIn(field) < 25 || setIn(field) > 475)).toEqual([]);
});

test('thrown values are of every kind', () => {
  const seen = fc.sample(thrownValues(), { numRuns: 5_000, seed: 1 });
  const kinds: Record<string, (value: unknown) => boolean> = {
    undefined: (value) => value === undefined,
    string: (value) => typeof value === 'string',
    symbol: (value) => typeof value === 'symbol',
    'plain object with a code': (value) => !(value instanceof Error) && has(value, 'code'),
    'error with a status': (value) => value instanceof Error && has(value, 'status'),
    'error with a cause with a cause': (value) =>
      value instanceof Error && value.cause instanceof Error && has(value.cause, 'cause'),
    AggregateError: (value) => value instanceof AggregateError,
    abort: (value) => value instanceof DOMException && value.name === 'AbortError',
    frozen: (value) => value instanceof Error && Object.isFrozen(value),
    circular: (value) => value instanceof Error && value.cause === value,
    guarded: (value) => value instanceof Error && throws(() => value.name),
  };
  const missing = Object.keys(kinds).filter((kind) => !seen.some(ignoringThrows(kinds[kind])));
  expect(missing).toEqual([]);
});

function has(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field);
}

function throws(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

function ignoringThrows(test: ((value: unknown) => boolean) | undefined) {
  return (value: unknown): boolean => {
    try {
      return test?.(value) ?? false;
    } catch {
      return false;
    }
  };
}
