import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import { classify } from '../classify/classify.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { Ledger, OnceRequest } from './ledger.ts';
import { memoryLedger } from './memory-ledger.ts';
import { runOnce } from './once.ts';

/** A ledger, its clock, a request for the key `k`, and what was told to `onUse`. */
function setUp(overrides: Partial<Ledger> = {}) {
  const clock = virtualClock();
  const ledger: Ledger = { ...memoryLedger({ clock }), ...overrides };
  const uses: string[] = [];
  const request: OnceRequest = { key: 'k', clock, onUse: (action) => uses.push(action) };
  return { clock, ledger, uses, request };
}

/** A promise, to be settled by hand. */
const gate = <T>() => Promise.withResolvers<T>();

/** Reserves `k` as somebody else would. */
async function holdBySomebodyElse(ledger: Ledger, leaseMs = 1_000): Promise<number> {
  const reservation = await ledger.reserve('k', { fingerprint: '', leaseMs });
  if (reservation.state !== 'reserved') throw new Error(reservation.state);
  return reservation.token;
}

describe('runOnce', () => {
  it.each([['value'], [null], [undefined], [0], [''], [false]])(
    'runs the first time and answers %j with the stored result after that',
    async (value) => {
      const { clock, ledger, uses, request } = setUp();
      const run = vi.fn(async () => value);
      expect(await runOnce(ledger, request, run)).toBe(value);
      expect(await runOnce(ledger, request, run)).toBe(value);
      expect(run).toHaveBeenCalledTimes(1);
      expect(uses).toEqual(['record', 'hit']);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  it('takes a function that answers at once, and the system clock', async () => {
    expect(await runOnce(memoryLedger(), { key: 'k' }, () => 7)).toBe(7);
  });

  it('passes the token, which rises with every run of the key', async () => {
    const { ledger, request } = setUp();
    const tokens: number[] = [];
    const fail = (token: number) => {
      tokens.push(token);
      throw new Error('again');
    };
    await expect(runOnce(ledger, request, fail)).rejects.toThrow('again');
    await expect(runOnce(ledger, request, fail)).rejects.toThrow('again');
    expect(tokens).toEqual([1, 2]);
  });

  it('runs once for a hundred callers at once and answers all of them', async () => {
    const { clock, ledger, uses, request } = setUp();
    const work = gate<{ id: number }>();
    const run = vi.fn(() => work.promise);
    const all = Promise.all(Array.from({ length: 100 }, () => runOnce(ledger, request, run)));
    await clock.advance(10_000);
    const result = { id: 1 };
    work.resolve(result);
    await clock.advance(500);
    const answers = await all;
    expect(run).toHaveBeenCalledTimes(1);
    expect(answers).toHaveLength(100);
    expect(answers.every((answer) => answer === result)).toBe(true);
    expect(uses.toSorted()).toEqual([...Array(99).fill('hit'), 'record']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('ignores what the listener throws', async () => {
    const { ledger, request } = setUp();
    const onUse = () => {
      throw new Error('listener');
    };
    expect(await runOnce(ledger, { ...request, onUse }, () => 1)).toBe(1);
    expect(await runOnce(ledger, { ...request, onUse }, () => 2)).toBe(1);
  });
});

describe('runOnce, while somebody else holds the key', () => {
  it('fails at once if asked to', async () => {
    const { clock, ledger, request } = setUp();
    await holdBySomebodyElse(ledger);
    await clock.advance(400);
    const run = vi.fn();
    await expect(runOnce(ledger, { ...request, onInProgress: 'fail' }, run)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      details: { key: 'k', leaseLeftMs: 600 },
    });
    expect(run).not.toHaveBeenCalled();
    expect(clock.pendingTimers).toBe(0);
  });

  it('looks again after 5 ms, then twice as late each time up to 500 ms', async () => {
    const { clock, ledger, request } = setUp();
    await holdBySomebodyElse(ledger, 60_000);
    const looks: number[] = [];
    const reserve: Ledger['reserve'] = (...args) => {
      looks.push(clock.monotonic());
      return ledger.reserve(...args);
    };
    const answer = runOnce({ ...ledger, reserve }, request, () => 'mine');
    await clock.advance(1_700);
    await ledger.complete('k', 1, 'theirs');
    await clock.advance(500);
    expect(await answer).toBe('theirs');
    expect(looks).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1_135, 1_635, 2_135]);
  });

  it('runs itself when the other one failed', async () => {
    const { clock, ledger, uses, request } = setUp();
    const token = await holdBySomebodyElse(ledger);
    const answer = runOnce(ledger, request, () => 'mine');
    await clock.advance(20);
    await ledger.fail('k', token, { type: 'Error', message: '' });
    await clock.advance(100);
    expect(await answer).toBe('mine');
    expect(uses).toEqual(['record']);
  });

  it('runs itself when the lease of the other one has expired', async () => {
    const { clock, ledger, request } = setUp();
    const stale = await holdBySomebodyElse(ledger);
    const run = vi.fn(() => 'mine');
    const answer = runOnce(ledger, request, run);
    await clock.advance(999);
    expect(run).not.toHaveBeenCalled();
    await clock.advance(500);
    expect(await answer).toBe('mine');
    expect(await ledger.complete('k', stale, 'theirs')).toBe(false);
  });

  it('stops waiting when aborted: the reason comes out, no timer or listener stays', async () => {
    const { clock, ledger, request } = setUp();
    await holdBySomebodyElse(ledger, 60_000);
    const { signal, abort, listeners } = countingSignal();
    const run = vi.fn();
    const answer = runOnce(ledger, { ...request, signal }, run);
    const caught = answer.catch((error: unknown) => error);
    await clock.advance(100);
    expect(clock.pendingTimers).toBe(1);
    expect(listeners()).toBe(1);
    const reason = { why: 'shutting down' };
    abort(reason);
    expect(await caught).toBe(reason);
    expect(clock.pendingTimers).toBe(0);
    expect(run).not.toHaveBeenCalled();
  });

  it('leaves no listener on a long-lived signal when it got its answer', async () => {
    const { clock, ledger, request } = setUp();
    const token = await holdBySomebodyElse(ledger, 60_000);
    const { signal, listeners } = countingSignal();
    const answer = runOnce(ledger, { ...request, signal }, () => 'mine');
    await clock.advance(2_000);
    await ledger.complete('k', token, 'theirs');
    await clock.advance(500);
    expect(await answer).toBe('theirs');
    expect(listeners()).toBe(0);
  });

  it('does not wait when aborted while the ledger was asked', async () => {
    const { clock, ledger, request } = setUp();
    await holdBySomebodyElse(ledger);
    const controller = new AbortController();
    const reserve: Ledger['reserve'] = async (...args) => {
      controller.abort('too late');
      return await ledger.reserve(...args);
    };
    await expect(
      runOnce({ ...ledger, reserve }, { ...request, signal: controller.signal }, vi.fn()),
    ).rejects.toBe('too late');
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('runOnce, aborted', () => {
  it('before it begins: does not touch the ledger', async () => {
    const reserve = vi.fn();
    const { ledger, request } = setUp({ reserve });
    const signal = AbortSignal.abort('stop');
    await expect(runOnce(ledger, { ...request, signal }, vi.fn())).rejects.toBe('stop');
    expect(reserve).not.toHaveBeenCalled();
  });

  it('while it reserves: does not run, and gives the key back at once', async () => {
    const { clock, ledger, request } = setUp();
    const controller = new AbortController();
    const reserve: Ledger['reserve'] = async (...args) => {
      const reservation = await ledger.reserve(...args);
      controller.abort('stop');
      return reservation;
    };
    const run = vi.fn();
    await expect(
      runOnce({ ...ledger, reserve }, { ...request, signal: controller.signal }, run),
    ).rejects.toBe('stop');
    expect(run).not.toHaveBeenCalled();
    expect(await ledger.look('k')).toMatchObject({ state: 'failed', error: { message: 'stop' } });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('runOnce, with another fingerprint', () => {
  it('refuses the key', async () => {
    const { ledger, request } = setUp();
    await runOnce(ledger, { ...request, fingerprint: 'one' }, () => 1);
    const run = vi.fn();
    await expect(runOnce(ledger, { ...request, fingerprint: 'two' }, run)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      details: { key: 'k', fingerprint: 'two', recordedFingerprint: 'one' },
    });
    expect(run).not.toHaveBeenCalled();
  });
});

describe('runOnce, when the run fails', () => {
  it.each<[unknown, { type: string; message: string }]>([
    [new TypeError('no'), { type: 'TypeError', message: 'no' }],
    [
      { name: 'Odd', message: 5 },
      { type: 'Odd', message: '5' },
    ],
    ['text', { type: 'string', message: 'text' }],
    [undefined, { type: 'undefined', message: 'undefined' }],
    [null, { type: 'object', message: '' }],
    [Object.create(null), { type: 'object', message: '' }],
    [new Error(`${'x'.repeat(499)}😀`), { type: 'Error', message: `${'x'.repeat(499)}\ufffd` }],
  ])('throws the same error and records it (%#)', async (error, recorded) => {
    const { clock, ledger, uses, request } = setUp();
    const caught = await runOnce(ledger, request, () => Promise.reject(error)).then(
      () => 'no error',
      (thrown: unknown) => ({ thrown }),
    );
    expect(caught).toStrictEqual({ thrown: error });
    expect(await ledger.look('k')).toMatchObject({ state: 'failed', error: recorded });
    expect(uses).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
    expect(await runOnce(ledger, request, () => 'second try')).toBe('second try');
  });

  it('throws the same error also when the ledger fails to record it', async () => {
    const { clock, ledger, request } = setUp({ fail: () => Promise.reject(new Error('ledger')) });
    const error = new Error('operation');
    await expect(runOnce(ledger, request, () => Promise.reject(error))).rejects.toBe(error);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('runOnce, and its lease', () => {
  it('renews it at half-time for as long as the run lasts, without holding the process', async () => {
    const { clock, ledger, request } = setUp();
    const work = gate<string>();
    const answer = runOnce(ledger, { ...request, leaseMs: 1_000 }, () => work.promise);
    await clock.advance(0);
    expect(clock.nextTimerInMs).toBe(500);
    expect(clock.holdingTimers).toBe(0);
    await clock.advance(10_250);
    expect(await ledger.reserve('k', { fingerprint: '', leaseMs: 1 })).toEqual({
      state: 'in_progress',
      leaseLeftMs: 750,
    });
    expect(clock.holdingTimers).toBe(0);
    work.resolve('slow');
    expect(await answer).toBe('slow');
    expect(clock.pendingTimers).toBe(0);
  });

  it('has 60 s by default', async () => {
    const { clock, ledger, request } = setUp();
    const work = gate<string>();
    const answer = runOnce(ledger, request, () => work.promise);
    await clock.advance(0);
    expect(clock.nextTimerInMs).toBe(30_000);
    work.resolve('');
    await answer;
  });

  it('asks again soon when renewing fails, before the lease is over', async () => {
    const { clock, ledger, request } = setUp();
    const asked: number[] = [];
    const renew: Ledger['renew'] = async (...args) => {
      asked.push(clock.monotonic());
      if (asked.length < 3) throw new Error('ledger');
      return await ledger.renew(...args);
    };
    const work = gate<string>();
    const answer = runOnce(
      { ...ledger, renew },
      { ...request, leaseMs: 1_000 },
      () => work.promise,
    );
    await clock.advance(1_300);
    expect(asked).toEqual([500, 625, 750, 1_250]);
    work.resolve('done');
    expect(await answer).toBe('done');
  });

  it('sets no further timer when the run ends while a renewal is under way', async () => {
    const renewal = gate<boolean>();
    const { clock, ledger, request } = setUp({ renew: () => renewal.promise });
    const work = gate<string>();
    const answer = runOnce(ledger, request, () => work.promise);
    await clock.advance(30_000);
    work.resolve('done');
    await answer;
    renewal.resolve(true);
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('stops renewing once it is lost, lets the run end, and then says so', async () => {
    const { clock, uses, request } = setUp();
    // A clock of its own: the ledger's time goes on while this process stalls and renews nothing.
    const ledgerClock = virtualClock();
    const ledger = memoryLedger({ clock: ledgerClock });
    const renew = vi.fn(ledger.renew);
    const work = gate<string>();
    const answer = runOnce(
      { ...ledger, renew },
      { ...request, leaseMs: 1_000 },
      () => work.promise,
    );
    const caught = answer.catch((error: unknown) => error);
    await ledgerClock.advance(1_000);
    await holdBySomebodyElse(ledger);
    await clock.advance(5_000);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(clock.pendingTimers).toBe(0);
    work.resolve('mine');
    expect(await caught).toMatchObject({
      code: 'idempotency_lost',
      message: expect.stringContaining('another caller'),
      details: { key: 'k', token: 1, value: 'mine' },
    });
    expect(uses).toEqual([]);
    expect(await ledger.look('k')).toMatchObject({ state: 'in_progress', token: 2 });
  });

  it('throws the error of the run, not of the lease, when both are lost', async () => {
    const { ledger, request } = setUp();
    const error = new Error('operation');
    const run = async () => {
      await ledger.clear('k');
      throw error;
    };
    await expect(runOnce(ledger, request, run)).rejects.toBe(error);
  });
});

describe('runOnce, when the ledger fails', () => {
  const broken = new Error('ledger');
  const rejecting = () => Promise.reject(broken);

  it('to reserve: does not run', async () => {
    const { ledger, request } = setUp({ reserve: rejecting });
    const run = vi.fn();
    await expect(runOnce(ledger, request, run)).rejects.toBe(broken);
    expect(run).not.toHaveBeenCalled();
  });

  it('to keep the result: says so with its own code, which no session tries again', async () => {
    const tooLarge = new RedriveError('payload_too_large', 'The result is too large');
    const { ledger, request } = setUp({ complete: () => Promise.reject(tooLarge) });
    const error: unknown = await runOnce(ledger, request, () => 'charged').catch((it) => it);
    expect(error).toMatchObject({
      code: 'payload_too_large',
      cause: tooLarge,
      details: { key: 'k', token: 1, value: 'charged' },
    });
    expect(classify(error, {}, { attempt: 1, nowMs: 0 }).errorClass).toBe('final');
  });

  it('to record, once: recording is repeated, and the effect is not', async () => {
    const { clock, ledger, uses, request } = setUp();
    const complete = failingFirst(1, ledger.complete);
    const run = vi.fn(() => 'charged');
    const answer = runOnce({ ...ledger, complete }, request, run);
    await clock.advance(25);
    expect(await answer).toBe('charged');
    expect(await runOnce(ledger, request, run)).toBe('charged');
    expect(run).toHaveBeenCalledTimes(1);
    expect(uses).toEqual(['record', 'hit']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('to record, and the answer alone was lost: finds its own result', async () => {
    const { clock, ledger, request } = setUp();
    const complete = vi.fn<Ledger['complete']>(async (...args) => {
      const recorded = await ledger.complete(...args);
      if (recorded) throw broken;
      return recorded;
    });
    const answer = runOnce({ ...ledger, complete }, request, () => 'charged');
    await clock.advance(25);
    expect(await answer).toBe('charged');
    expect(complete).toHaveBeenCalledTimes(2);
  });

  it('to record, and somebody else took the key meanwhile: says that it is lost', async () => {
    const { clock, ledger, request } = setUp();
    const complete = failingFirst(1, ledger.complete);
    const answer = runOnce({ ...ledger, complete }, request, async () => {
      await ledger.clear('k');
      await ledger.reserve('k', { fingerprint: '', leaseMs: 1_000 });
    });
    const caught = answer.catch((error: unknown) => error);
    await clock.advance(25);
    expect(await caught).toMatchObject({
      code: 'idempotency_lost',
      message: 'Idempotency key k ran, but lost its lease: another caller may have run it too',
    });
  });

  it('to record until the reservation ends: says that the run succeeded, and with what', async () => {
    const complete = vi.fn(rejecting);
    const { clock, ledger, uses, request } = setUp({ complete });
    const answer = runOnce(ledger, { ...request, leaseMs: 2_000 }, () => 'charged');
    const endedMs = answer.catch(() => clock.monotonic());
    await clock.advance(1_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    await expect(answer).rejects.toMatchObject({
      code: 'idempotency_lost',
      message: 'Idempotency key k ran, but was not recorded in time',
      cause: broken,
      details: { key: 'k', token: 1, value: 'charged' },
    });
    expect(await endedMs).toBe(2_000);
    expect(complete).toHaveBeenCalledTimes(8);
    expect(uses).toEqual([]);
    expect(await ledger.look('k')).toHaveProperty('state', 'in_progress');
    expect(clock.pendingTimers).toBe(0);
  });

  it('to record after renewals: the reservation ends a lease after the last of them', async () => {
    const { clock, ledger, request } = setUp({ complete: rejecting });
    const work = gate<string>();
    const answer = runOnce(ledger, { ...request, leaseMs: 1_000 }, () => work.promise);
    const endedMs = answer.catch(() => clock.monotonic());
    await clock.advance(2_600);
    work.resolve('charged');
    await clock.advance(2_000);
    expect(await endedMs).toBe(3_500);
  });

  /** Fails `times` times, and then asks the other one. */
  function failingFirst(times: number, complete: Ledger['complete']): Ledger['complete'] {
    let left = times;
    return async (...args) => {
      left -= 1;
      if (left >= 0) throw broken;
      return complete(...args);
    };
  }
});

/** A signal that knows how many listeners it has. */
function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  vi.spyOn(signal, 'addEventListener').mockImplementation((...args) => {
    count += 1;
    add(...args);
  });
  vi.spyOn(signal, 'removeEventListener').mockImplementation((...args) => {
    count -= 1;
    remove(...args);
  });
  return { signal, abort: (reason: unknown) => controller.abort(reason), listeners: () => count };
}
