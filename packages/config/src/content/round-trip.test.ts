import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../parse-config.ts';
import { policyFileFields } from '../shape/policy-shape.ts';
import type { ValueShape } from '../shape/shape.ts';

/** Any value that a field allows, in the unit of files; times to the millisecond, as people write them. */
function anyValue({ rule, unit }: ValueShape): fc.Arbitrary<unknown> {
  switch (rule.kind) {
    case 'choice':
      return fc.constantFrom(...rule.values);
    case 'boolean':
      return fc.boolean();
    case 'list':
      if (rule.of.includes('number')) return fc.constantFrom([0.001], [0.001, 0]);
      return fc.array(fc.constantFrom('TimeoutError', 'ECONNRESET', 'Error'), { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: rule.min, max: rule.max });
    case 'number': {
      if (unit === undefined) return fc.double({ min: rule.min, max: rule.max, noNaN: true });
      const max = Math.min(rule.max, 1_000_000) * 1_000;
      return fc.integer({ min: 1, max }).map((ms) => ms / 1_000);
    }
    default:
      return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  }
}

const own = [...policyFileFields().values()].filter(({ name }) => name !== 'id');
const anyPolicy = fc.record(
  Object.fromEntries(own.map(({ name, shape }) => [name, anyValue(shape)])),
);

it('whatever a file says about a policy is what the policy has, as YAML and as JSON', () => {
  fc.assert(
    fc.property(anyPolicy, fc.boolean(), (values, isJson) => {
      const [base, cap] = [Number(values.base_delay), Number(values.max_delay)].sort(
        (a, b) => a - b,
      );
      const policy: Record<string, unknown> = { ...values, base_delay: base, max_delay: cap };
      // The list of a schedule and decorrelated jitter exclude each other.
      if (policy.backoff_type === 'schedule' && policy.jitter_type === 'decorrelated')
        policy.jitter_type = 'full';
      const file = { version: '1.1.0', policies: { 'events.a': policy } };
      const { config, problems } = parseConfig(isJson ? JSON.stringify(file) : stringify(file));
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      const resolved = config?.policies.get('events.a');
      for (const { name, field, shape } of own) {
        const value = policy[name];
        const toMs = (seconds: unknown) => Math.round(Number(seconds) * 1_000);
        const inMs = Array.isArray(value) ? value.map(toMs) : toMs(value);
        const expected = shape.unit === undefined ? value : inMs;
        expect(resolved?.policy[field], name).toEqual(expected);
        expect(resolved?.sources[field].kind, name).toBe('file');
      }
    }),
    { numRuns: 200 },
  );
});
