import { thrownValues } from '@redrive/testkit/arbitraries';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isRedriveError, RedriveError } from './redrive-error.ts';

describe('RedriveError', () => {
  it('carries a code, details and a cause', () => {
    const cause = new Error('disk');
    const error = new RedriveError('ledger_full', 'No room', { maxEntries: 5 }, { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'RedriveError',
      code: 'ledger_full',
      message: 'No room',
      details: { maxEntries: 5 },
      cause,
    });
  });

  it('has no details and no cause unless they are given', () => {
    const error = new RedriveError('ledger_full', 'No room');
    expect(error.details).toEqual({});
    expect('cause' in error).toBe(false);
  });
});

describe('isRedriveError', () => {
  const error = new RedriveError('ledger_full', 'No room');

  it('knows an error by its code', () => {
    expect(isRedriveError(error)).toBe(true);
    expect(isRedriveError(error, 'ledger_full')).toBe(true);
    expect(isRedriveError(error, 'bulkhead_full')).toBe(false);
  });

  it('knows an error of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('./redrive-error.ts');
    const foreign = new copy.RedriveError('ledger_full', 'No room');
    expect(foreign).not.toBeInstanceOf(RedriveError);
    expect(isRedriveError(foreign)).toBe(true);
    expect(isRedriveError(foreign, 'ledger_full')).toBe(true);
  });

  it.each([
    ['an error without a code', new Error('x')],
    ['a system error', Object.assign(new Error('x'), { code: 'ECONNRESET' })],
    ['an error with details', Object.assign(new Error('x'), { details: {} })],
    ['an error with both', Object.assign(new Error('x'), { code: 'ECONNRESET', details: {} })],
    ['an object', { name: 'RedriveError', code: 'ledger_full', details: {} }],
    ['a string', 'ledger_full'],
    ['null', null],
    ['undefined', undefined],
  ])('does not take %s for one', (_, value) => {
    expect(isRedriveError(value)).toBe(false);
    expect(isRedriveError(value, 'ledger_full')).toBe(false);
  });

  it('survives whatever is thrown', () => {
    fc.assert(
      fc.property(thrownValues(), (value) => {
        expect(isRedriveError(value)).toBe(false);
        expect(isRedriveError(value, 'ledger_full')).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
