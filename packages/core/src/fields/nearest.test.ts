import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const KNOWN = ['max_attempts', 'max_delay', 'base_delay', 'jitter_type', 'jitter_amount', 'ttl'];

describe('nearest', () => {
  it.each([
    ['max_attempt', 'max_attempts'],
    ['maxAttempts', 'max_attempts'],
    ['MAX-ATTEMPTS', 'max_attempts'],
    ['mxa_attempts', 'max_attempts'],
    ['jitter', undefined],
    ['jitter_typ', 'jitter_type'],
    ['tll', 'ttl'],
    ['colour', undefined],
    ['', undefined],
    ['max_attempts'.padEnd(5_000, '!'), undefined],
  ])('%.20s is taken for %s', (text, name) => {
    expect(nearest(text, KNOWN)).toBe(name);
  });

  it('never suggests what was written', () => {
    expect(nearest('ttl', ['ttl'])).toBeUndefined();
  });

  it('finds a name again after any one slip', () => {
    const slip = fc.record({
      name: fc.constantFrom(...KNOWN),
      at: fc.nat(),
      letter: fc.constantFrom('q', ''),
    });
    fc.assert(
      fc.property(slip, ({ name, at, letter }) => {
        const index = at % name.length;
        const slipped = name.slice(0, index) + letter + name.slice(index + 1);
        expect(nearest(slipped, KNOWN)).toBe(name);
      }),
    );
  });
});
