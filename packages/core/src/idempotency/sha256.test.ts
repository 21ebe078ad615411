import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

const byNode = (input: string | Uint8Array) => createHash('sha256').update(input).digest('hex');

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('gives the published digest of %j', (input, digest) => {
    expect(sha256(input)).toBe(digest);
  });

  it('gives the published digest of a million letters a', () => {
    expect(sha256('a'.repeat(1_000_000))).toBe(
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    );
  });

  it('pads right at every length around the block boundaries', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = new Uint8Array(length).fill(0xa5);
      expect(sha256(bytes), `${length} bytes`).toBe(byNode(bytes));
    }
  });

  it('agrees with OpenSSL on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => sha256(bytes) === byNode(bytes)),
      { numRuns: 10_000 },
    );
  });

  it('agrees with OpenSSL on the UTF-8 form of any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        return sha256(text) === byNode(text);
      }),
      { numRuns: 10_000 },
    );
  });

  it('reads a view at its own offset and leaves it as it was', () => {
    const buffer = Uint8Array.from({ length: 100 }, (_, index) => index);
    const view = buffer.subarray(10, 70);
    expect(sha256(view)).toBe(byNode(view));
    expect(buffer).toEqual(Uint8Array.from({ length: 100 }, (_, index) => index));
  });
});

it('the roots that its constants come from are near no boundary of 32 bits, so that engines may differ in their last bits', () => {
  const primes = Array.from({ length: 310 }, (_, at) => at + 2).filter((n) =>
    Array.from({ length: n - 2 }, (_, at) => at + 2).every((divisor) => n % divisor !== 0),
  );
  expect(primes).toHaveLength(64);
  for (const root of [...primes.map(Math.cbrt), ...primes.slice(0, 8).map(Math.sqrt)]) {
    const beyond = (root * 2 ** 32) % 1;
    expect(Math.min(beyond, 1 - beyond)).toBeGreaterThan(2 ** -10);
  }
});
