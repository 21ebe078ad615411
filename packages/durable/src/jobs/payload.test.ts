import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadLoss } from './json-losses.ts';
import { measureJson } from './payload.ts';

const jsonAtLeast = (value: unknown, maxBytes: number) =>
  measureJson(value, maxBytes, payloadLoss).bytes;

test('is never more than the JSON has', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.nat())), (value) => {
      const text = JSON.stringify(value);
      return jsonAtLeast(value, Number.POSITIVE_INFINITY) <= Buffer.byteLength(text);
    }),
  );
});

test('finds what is long, wherever it stands', () => {
  const long = 'x'.repeat(1_000);
  for (const value of [long, [long], { a: { b: [1, long] } }, new Uint8Array(500)]) {
    expect(jsonAtLeast(value, 100)).toBeGreaterThanOrEqual(1_000);
  }
});

test('stops when it is too much', () => {
  let reads = 0;
  const counted = {
    get text() {
      reads += 1;
      return 'x'.repeat(50);
    },
  };
  const value = Array.from({ length: 1_000 }, () => Object.create(counted, {}));
  for (const each of value)
    Object.defineProperty(each, 'text', { enumerable: true, get: () => counted.text });
  expect(jsonAtLeast(value, 500)).toBeGreaterThan(500);
  expect(reads).toBeLessThan(20);
});

test('takes what goes around in circles, throws or writes itself for what it can count', () => {
  const circle: Record<string, unknown> = { text: 'abc' };
  circle.self = circle;
  expect(jsonAtLeast(circle, 1_000)).toBe(7);
  const hostile = {
    get text() {
      throw new Error('no');
    },
  };
  expect(jsonAtLeast({ hostile }, 1_000)).toBeLessThan(10);
  expect(
    jsonAtLeast({ at: new Date(0), long: { toJSON: () => 1, text: 'x'.repeat(99) } }, 1_000),
  ).toBe(1);
  expect([undefined, null, 1, 1n, true].map((each) => jsonAtLeast(each, 10))).toEqual([
    0, 0, 0, 0, 0,
  ]);
});

test('suspects what JSON would change, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => !measureJson(value, Infinity, payloadLoss).suspect),
  );
  const altered = [NaN, -Infinity, [undefined], [() => 1], new Array(2), { a: [{ b: NaN }] }];

  for (const value of [...altered, new Map(), [new Set()], { a: new Float64Array(1) }, [1n]]) {
    expect(measureJson(value, 1_000, payloadLoss).suspect, String(value)).toBe(true);
  }
});
