import { virtualClock } from '@redrive/testkit';
import { ledgerConformance } from '@redrive/testkit/conformance/ledger';
import { describe, expect, it } from 'vitest';
import { memoryLedger } from './memory-ledger.ts';

const REQUEST = { fingerprint: '', leaseMs: 1_000 };
const FAILURE = { type: 'Error', message: '' };

describe('memoryLedger conforms', () => {
  ledgerConformance(
    async () => {
      const clock = virtualClock({ startMs: 5_000, monotonicMs: 70 });
      return { ledger: memoryLedger({ clock }), clock };
    },
    { describe, it },
  );
});

describe('memoryLedger', () => {
  it('frees a key in the moment in which its lease ends', async () => {
    const clock = virtualClock();
    const ledger = memoryLedger({ clock });
    await ledger.reserve('k', REQUEST);
    await clock.advance(999.5);
    expect(await ledger.reserve('k', REQUEST)).toEqual({ state: 'in_progress', leaseLeftMs: 0.5 });
    await clock.advance(0.5);
    expect(await ledger.reserve('k', REQUEST)).toEqual({ state: 'reserved', token: 2 });
  });

  it('does not mind a wall clock that is set, forward or back', async () => {
    const clock = virtualClock({ startMs: 1e12 });
    const ledger = memoryLedger({ clock, retentionMs: 10_000 });
    await ledger.reserve('k', REQUEST);
    clock.setWall(2e12);
    expect((await ledger.reserve('k', REQUEST)).state).toBe('in_progress');
    await ledger.complete('k', 1, 'value');
    clock.setWall(0);
    expect(await ledger.look('k')).toHaveProperty('value', 'value');
    await clock.advance(10_000);
    expect(await ledger.look('k')).toBeUndefined();
  });

  it('keeps values as given', async () => {
    const ledger = memoryLedger();
    const value = new Map([['a', 1n]]);
    await ledger.reserve('k', REQUEST);
    await ledger.complete('k', 1, value);
    expect(await ledger.reserve('k', REQUEST)).toStrictEqual({ state: 'done', value });
    expect(await ledger.look('k')).toHaveProperty('value', value);
  });

  it('forgets finished keys after the retention, counted from their end', async () => {
    const clock = virtualClock();
    const ledger = memoryLedger({ clock, retentionMs: 10_000 });
    await ledger.reserve('done', REQUEST);
    await ledger.reserve('failed', REQUEST);
    await clock.advance(5_000);
    await ledger.complete('done', 1, 'value');
    await clock.advance(1_000);
    await ledger.fail('failed', 2, FAILURE);
    await clock.advance(8_999);
    expect(await ledger.look('done')).toHaveProperty('state', 'done');
    await clock.advance(1);
    expect(await ledger.look('done')).toBeUndefined();
    expect(await ledger.look('failed')).toHaveProperty('state', 'failed');
    await clock.advance(1_000);
    expect(await ledger.reserve('failed', { ...REQUEST, fingerprint: 'other' })).toEqual({
      state: 'reserved',
      token: 3,
    });
  });

  it('keeps finished keys for ever when told so', async () => {
    const clock = virtualClock();
    const ledger = memoryLedger({ clock, retentionMs: Number.POSITIVE_INFINITY });
    await ledger.reserve('k', REQUEST);
    await ledger.complete('k', 1, 'value');
    await clock.advance(1e12);
    expect(await ledger.look('k')).toHaveProperty('value', 'value');
  });

  it('makes room by forgetting what finished first', async () => {
    const ledger = memoryLedger({ clock: virtualClock(), maxEntries: 3 });
    await ledger.reserve('a', REQUEST);
    await ledger.reserve('b', REQUEST);
    await ledger.reserve('c', REQUEST);
    await ledger.complete('b', 2, 'b');
    await ledger.fail('a', 1, FAILURE);
    await ledger.reserve('d', REQUEST);
    expect(await ledger.look('b')).toBeUndefined();
    await ledger.reserve('e', REQUEST);
    expect(await ledger.look('a')).toBeUndefined();
    expect(await ledger.look('c')).toHaveProperty('token', 3);
  });

  it('counts a key that ran again as finished when it finished again', async () => {
    const ledger = memoryLedger({ clock: virtualClock(), maxEntries: 2 });
    await ledger.reserve('a', REQUEST);
    await ledger.fail('a', 1, FAILURE);
    await ledger.reserve('b', REQUEST);
    await ledger.complete('b', 2, 'b');
    await ledger.reserve('a', REQUEST);
    await ledger.complete('a', 3, 'a');
    await ledger.reserve('c', REQUEST);
    expect(await ledger.look('b')).toBeUndefined();
    expect(await ledger.look('a')).toHaveProperty('value', 'a');
  });

  it('needs no room for a key that it knows', async () => {
    const ledger = memoryLedger({ clock: virtualClock(), maxEntries: 2 });
    await ledger.reserve('a', REQUEST);
    await ledger.complete('a', 1, 'a');
    await ledger.reserve('b', REQUEST);
    await ledger.fail('b', 2, FAILURE);
    await ledger.reserve('b', REQUEST);
    expect(await ledger.look('a')).toHaveProperty('state', 'done');
  });

  it('makes room by an expired lease when nothing has finished, never by a live one', async () => {
    const clock = virtualClock();
    const ledger = memoryLedger({ clock, maxEntries: 2 });
    await ledger.reserve('live', { ...REQUEST, leaseMs: 5_000 });
    await ledger.reserve('short', REQUEST);
    await clock.advance(999);
    await expect(ledger.reserve('new', REQUEST)).rejects.toMatchObject({
      code: 'ledger_full',
      details: { maxEntries: 2 },
    });
    await clock.advance(1);
    expect(await ledger.reserve('new', REQUEST)).toEqual({ state: 'reserved', token: 3 });
    expect(await ledger.look('live')).toHaveProperty('state', 'in_progress');
    expect(await ledger.complete('short', 2, 'late')).toBe(false);
  });

  it.each([
    { maxEntries: 0 },
    { maxEntries: Number.NaN },
    { retentionMs: 0 },
    { retentionMs: Number.NaN },
  ])('refuses %j', (options) => {
    expect(() => memoryLedger(options)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });

  it('refuses to renew for no time', async () => {
    const ledger = memoryLedger({ clock: virtualClock() });
    await ledger.reserve('k', REQUEST);
    await expect(ledger.renew('k', 1, Number.NaN)).rejects.toMatchObject({
      code: 'invalid_option',
    });
  });
});
