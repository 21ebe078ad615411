import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Ledger } from '@redrive/core';
import { interleavings } from './ledger-interleavings.ts';
import { type ConformancePart, isInPart } from './part.ts';

/** A ledger under test, with a way to let its time pass. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  readonly clock: { advance(ms: number): void | Promise<void> };
  /** Called when the test is over, also after a failure. */
  readonly close?: () => void | Promise<void>;
}

/** Of Vitest, `node:test` or another runner with these two functions. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

const LEASE_MS = 1_000;
const REQUEST = { fingerprint: 'f-1', leaseMs: LEASE_MS };
const FAILURE = { type: 'TimeoutError', message: 'no answer' };

/**
 * Registers the tests that every `Ledger` must pass. `makeLedger` is called once per test and must give an empty ledger
 * each time. `part`: `long` is one test with a thousand schedules, `quick` are all others. Default `all`.
 *
 * ```ts
 * import { describe, it } from 'vitest';
 *
 * ledgerConformance(async () => {
 *   const clock = virtualClock();
 *   return { ledger: memoryLedger({ clock }), clock };
 * }, { describe, it });
 * ```
 */
export function ledgerConformance(
  makeLedger: () => Promise<LedgerUnderTest>,
  { describe, it }: TestRunner,
  part: ConformancePart = 'all',
): void {
  function test(name: string, body: (subject: LedgerUnderTest) => Promise<void>): void {
    it(name, async () => {
      const subject = await makeLedger();
      try {
        await body(subject);
      } finally {
        await subject.close?.();
      }
    });
  }

  if (isInPart(part, false)) stepByStep(describe, test);
  if (!isInPart(part, true)) return;
  describe('two holders, each stopping at any step, with and without an expired lease', () => {
    test('commit at most one result per key, in every order', interleavings);
  });
}

type RegisterTest = (name: string, body: (subject: LedgerUnderTest) => Promise<void>) => void;

function stepByStep(describe: TestRunner['describe'], test: RegisterTest): void {
  describe('reserving', () => {
    test('gives an unclaimed key to the first caller, and the second the time that the lease lasts', async ({
      ledger,
      clock,
    }) => {
      const token = await hold(ledger, 'k');
      ok(Number.isSafeInteger(token) && token > 0, `a positive whole token, not ${token}`);
      await clock.advance(LEASE_MS / 4);
      const second = await ledger.reserve('k', REQUEST);
      equal(second.state, 'in_progress');
      ok(second.state === 'in_progress' && second.leaseLeftMs > 0);
      ok(second.leaseLeftMs <= (LEASE_MS * 3) / 4, `${second.leaseLeftMs} ms left`);
      deepEqual(await ledger.look('k'), { state: 'in_progress', token, fingerprint: 'f-1' });
    });

    test('gives the key to one of a hundred at once', async ({ ledger }) => {
      const all = await Promise.all(
        Array.from({ length: 100 }, () => ledger.reserve('k', REQUEST)),
      );
      equal(all.filter(({ state }) => state === 'reserved').length, 1);
      equal(all.filter(({ state }) => state === 'in_progress').length, 99);
    });

    test('keeps keys apart that differ in anything', async ({ ledger }) => {
      const keys = `k|K|k | k|k/1|k.1|k:1|k*|k>|%6B|k'|k"|k\\`.split('|');
      keys.push('é', 'e\u0301', '😀', '\u{10000}', '\ue000', 'a'.repeat(255), 'a'.repeat(254));
      const tokens = new Map<string, number>();
      for (const key of keys) tokens.set(key, await hold(ledger, key));
      for (const [key, token] of tokens) equal(await ledger.complete(key, token, key), true, key);
      for (const key of keys) {
        deepEqual(await ledger.reserve(key, REQUEST), { state: 'done', value: key });
      }
    });

    test('refuses a lease that is not a positive number, and reserves nothing', async ({
      ledger,
    }) => {
      for (const leaseMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        await rejects(ledger.reserve('k', { ...REQUEST, leaseMs }), `${leaseMs}`);
      }
      equal(await ledger.look('k'), undefined);
    });
  });

  describe('recording', () => {
    const values = [
      null,
      undefined,
      0,
      '',
      false,
      'text 😀',
      -1.5,
      [],
      {},
      { a: [1, { b: null }] },
    ];
    for (const value of values) {
      const name = JSON.stringify(value) ?? 'undefined';
      test(`answers with the recorded value: ${name}`, async ({ ledger, clock }) => {
        const token = await hold(ledger, 'k');
        equal(await ledger.complete('k', token, value), true);
        deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value });
        await clock.advance(LEASE_MS * 2);
        deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value });
        deepEqual(await ledger.look('k'), { state: 'done', token, fingerprint: 'f-1', value });
      });
    }

    test('keeps the metadata of a value in the entry, until the key runs again', async ({
      ledger,
    }) => {
      const metadata = { source: 'import 7', rows: [1, { b: null }] };
      const token = await hold(ledger, 'k');
      equal(await ledger.complete('k', token, undefined, metadata), true);
      deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value: undefined });
      deepEqual(await ledger.look('k'), {
        state: 'done',
        token,
        fingerprint: 'f-1',
        value: undefined,
        metadata,
      });
      await ledger.clear('k');
      const next = await hold(ledger, 'k');
      equal(await ledger.complete('k', next, 1), true);
      deepEqual(await ledger.look('k'), {
        state: 'done',
        token: next,
        fingerprint: 'f-1',
        value: 1,
      });
    });

    test('records a failure, after which the key is free at once, with a higher token', async ({
      ledger,
    }) => {
      const token = await hold(ledger, 'k');
      equal(await ledger.fail('k', token, FAILURE), true);
      deepEqual(await ledger.look('k'), {
        state: 'failed',
        token,
        fingerprint: 'f-1',
        error: FAILURE,
      });
      ok((await hold(ledger, 'k')) > token);
    });

    test('takes one ending per reservation', async ({ ledger }) => {
      const done = await hold(ledger, 'done');
      equal(await ledger.complete('done', done, 1), true);
      await expectRefusal(ledger, 'done', done);
      const failed = await hold(ledger, 'failed');
      equal(await ledger.fail('failed', failed, FAILURE), true);
      await expectRefusal(ledger, 'failed', failed);
    });

    test('knows nothing of a key that nobody reserved', async ({ ledger }) => {
      await expectRefusal(ledger, 'k', 1);
      await ledger.clear('k');
      equal(await ledger.look('k'), undefined);
    });
  });

  describe('leases', () => {
    test('hold for their time and no longer', async ({ ledger, clock }) => {
      const token = await hold(ledger, 'k');
      await clock.advance(LEASE_MS - 1);
      equal((await ledger.reserve('k', REQUEST)).state, 'in_progress');
      await clock.advance(2);
      ok((await hold(ledger, 'k')) > token);
    });

    test('last from the renewal on', async ({ ledger, clock }) => {
      const token = await hold(ledger, 'k');
      await clock.advance(LEASE_MS / 2);
      equal(await ledger.renew('k', token, LEASE_MS), true);
      await clock.advance(LEASE_MS - 1);
      equal((await ledger.reserve('k', REQUEST)).state, 'in_progress');
      await clock.advance(2);
      ok((await hold(ledger, 'k')) > token);
    });

    test('that expired can be renewed as long as nobody else took the key', async ({
      ledger,
      clock,
    }) => {
      const token = await hold(ledger, 'k');
      await clock.advance(LEASE_MS * 2);
      equal(await ledger.renew('k', token, LEASE_MS), true);
      equal((await ledger.reserve('k', REQUEST)).state, 'in_progress');
    });

    test('that expired still take the result as long as nobody else took the key', async ({
      ledger,
      clock,
    }) => {
      const token = await hold(ledger, 'k');
      await clock.advance(LEASE_MS * 2);
      equal(await ledger.complete('k', token, 'late'), true);
      deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value: 'late' });
    });

    test('that somebody else took refuse every write of the old holder', async ({
      ledger,
      clock,
    }) => {
      const old = await hold(ledger, 'k');
      await clock.advance(LEASE_MS * 2);
      const token = await hold(ledger, 'k');
      await expectRefusal(ledger, 'k', old);
      equal(await ledger.complete('k', token, 'new'), true);
      await expectRefusal(ledger, 'k', old);
    });
  });

  describe('fingerprints', () => {
    test('that differ are a conflict in every state', async ({ ledger, clock }) => {
      const other = { ...REQUEST, fingerprint: 'f-2' };
      const conflict = { state: 'conflict', recordedFingerprint: 'f-1' };
      const token = await hold(ledger, 'k');
      deepEqual(await ledger.reserve('k', other), conflict, 'in progress');
      await clock.advance(LEASE_MS * 2);
      deepEqual(await ledger.reserve('k', other), conflict, 'lease expired');
      equal(await ledger.fail('k', token, FAILURE), true);
      deepEqual(await ledger.reserve('k', other), conflict, 'failed');
      equal(await ledger.complete('k', await hold(ledger, 'k'), 1), true);
      deepEqual(await ledger.reserve('k', other), conflict, 'done');
    });
  });

  describe('clearing', () => {
    test('forgets a key in every state, and tokens still rise', async ({ ledger }) => {
      const held = await hold(ledger, 'k');
      await ledger.clear('k');
      equal(await ledger.look('k'), undefined);
      await expectRefusal(ledger, 'k', held);

      const failed = await hold(ledger, 'k', 'f-2');
      ok(failed > held);
      equal(await ledger.fail('k', failed, FAILURE), true);
      await ledger.clear('k');
      equal(await ledger.look('k'), undefined);

      const done = await hold(ledger, 'k');
      ok(done > failed);
      equal(await ledger.complete('k', done, 1), true);
      await ledger.clear('k');
      equal(await ledger.look('k'), undefined);

      ok((await hold(ledger, 'k')) > done);
      await expectRefusal(ledger, 'k', held);
    });
  });
}

async function hold(ledger: Ledger, key: string, fingerprint = 'f-1'): Promise<number> {
  const reservation = await ledger.reserve(key, { ...REQUEST, fingerprint });
  if (reservation.state !== 'reserved') throw new Error(`${key} is ${reservation.state}, not free`);
  return reservation.token;
}

/** Every write with this token is refused and leaves the key as it is. */
async function expectRefusal(ledger: Ledger, key: string, token: number): Promise<void> {
  const before = await ledger.look(key);
  equal(await ledger.renew(key, token, LEASE_MS), false, 'renew');
  equal(await ledger.complete(key, token, 'stale'), false, 'complete');
  equal(await ledger.fail(key, token, { type: 'Stale', message: '' }), false, 'fail');
  deepEqual(await ledger.look(key), before);
}
