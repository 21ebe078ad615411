import { describe, expect, it } from 'vitest';
import { recallPolicy } from './define-policy.ts';
import type { Policy } from './policy.ts';

describe('recallPolicy', () => {
  it.each([null, 5, true, () => 1])('refuses %s also after an empty policy', (wrong) => {
    recallPolicy({});
    const given = wrong as Policy; // What plain JavaScript may pass.
    expect(() => recallPolicy(given)).toThrow(/must be an object/);
  });
});
