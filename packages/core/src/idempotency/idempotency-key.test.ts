import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeIdempotencyKey, fingerprint } from './idempotency-key.ts';

interface Vector {
  name: string;
  input: {
    operation: string;
    tenantId?: string;
    correlationId?: string;
    additionalParams?: Record<string, unknown>;
  };
  canonical: string;
  key: string;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const vectorsText = read('./vectors.json');
const vectors: Vector[] = JSON.parse(vectorsText);
const byNode = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

describe('computeIdempotencyKey', () => {
  it.each(vectors)('agrees with the vector: $name', ({ input, canonical, key }) => {
    expect(byNode(canonical), 'the vector itself').toBe(key);
    expect(
      computeIdempotencyKey(
        input.operation,
        input.tenantId,
        input.correlationId,
        input.additionalParams,
      ),
    ).toBe(key);
  });

  it('has the vectors that the reference page shows', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(12);
    const page = read('../../../../docs/reference/idempotency-keys.md');
    expect(page).toContain(`\`\`\`json\n${vectorsText}\`\`\``);
  });

  it('gives the key that the reference page shows for its example', () => {
    const page = read('../../../../docs/reference/idempotency-keys.md');
    const key = computeIdempotencyKey('Store kill switch state', 'tenant-123', 'corr-456', {
      switch: 'global',
      enabled: true,
    });
    expect(page).toContain(`// ${key}`);
  });

  it('takes null for absent', () => {
    expect(computeIdempotencyKey('op', null, null, null)).toBe(computeIdempotencyKey('op'));
  });

  it('tells apart what differs in one part', () => {
    const part = fc.constantFrom('', 'a', 'b', 'ab');
    const parts = fc.tuple(
      part,
      part,
      part,
      fc.dictionary(part, part, { maxKeys: 2, noNullPrototype: true }),
    );
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const sameKey = computeIdempotencyKey(...one) === computeIdempotencyKey(...other);
        return sameKey === isDeepStrictEqual(one, other);
      }),
      { numRuns: 10_000 },
    );
  });

  it('refuses an operation without a name', () => {
    // @ts-expect-error a caller without types
    expect(() => computeIdempotencyKey(undefined)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });

  it('says where a parameter has no canonical form', () => {
    expect(() => computeIdempotencyKey('op', '', '', { amount: Number.NaN })).toThrow(
      expect.objectContaining({
        code: 'not_canonical',
        details: { path: '/additional_params/amount' },
      }),
    );
  });
});

describe('fingerprint', () => {
  it('is the hash of the canonical JSON of any value', () => {
    expect(fingerprint({ b: 1, a: [true] })).toBe(byNode('{"a":[true],"b":1}'));
    expect(fingerprint(null)).toBe(byNode('null'));
  });
});
