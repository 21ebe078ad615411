import { type EventSink, syncSink } from '@redrive/core';
import { REFUSED } from '@redrive/core/stored';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { type FaultyStore, faultyStore } from '../testing/faulty-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import { StoreTime } from '../worker/store-contact.ts';
import { ControlView } from './control-view.ts';
import type { JobBreaker } from './job-breaker.ts';
import { PARKED_AT_MOST_MS } from './rules/documents.ts';
import { forceBreaker, resetBreaker } from './rules/shared-breaker.ts';
import { SharedBreakers } from './shared-breakers.ts';
import { updateControl } from './update-control.ts';

const FAILURE = { errorClass: 'retryable', effect: 'unknown' } as const;
const SETTINGS = { threshold: 3, timeoutMs: 450 };

/** The breaker of `api`, as one process meets it. */
async function processOn(
  clock: VirtualClock,
  store: FaultyStore,
  worker: string,
  events?: EventSink,
) {
  const time = new StoreTime(clock);
  const view = new ControlView({
    ...{ store, clock, time, notify: () => {}, onFresh: () => {} },
    isNeeded: () => true,
  });
  const stop = store.watch((change) => change === 'control' && view.changeNotified());
  const shared = new SharedBreakers({ view, clock, time, worker, events });
  onTestFinished(() => {
    stop();
    view.close();
    shared.close();
  });
  view.start();
  await clock.advance(0);
  return shared.for('api', SETTINGS);
}

async function twoProcesses() {
  const clock = virtualClock({ startMs: START_MS });
  const store = faultyStore(memoryStore({ clock }));
  // The last one to be called: it was the first.
  onTestFinished(() => expect(clock.pendingTimers).toBe(0));
  const [one, two] = [await processOn(clock, store, 'w1'), await processOn(clock, store, 'w2')];
  const document = async () => {
    const [found] = (await store.controls()).all;
    return found && JSON.parse(found.document);
  };
  return { clock, store, one, two, document };
}

function fail(breaker: JobBreaker, times = 1): void {
  for (let n = 0; n < times; n += 1) breaker.record(breaker.admit(), FAILURE);
}

describe('telling', () => {
  it('costs no write while all goes well', async () => {
    const { clock, store, one } = await twoProcesses();
    for (let n = 0; n < 1_000; n += 1) one.record(one.admit(), undefined);
    await clock.advance(1_000);
    expect(store.calls.get('apply')).toBeUndefined();
  });

  it('is one write for all that failed within 50 ms', async () => {
    const { clock, store, one, document } = await twoProcesses();
    fail(one);
    await clock.advance(49);
    expect(store.calls.get('apply')).toBeUndefined();
    fail(one);
    await clock.advance(1);
    expect(store.calls.get('apply')).toBe(1);
    expect(await document()).toMatchObject({ state: 'closed', failures: 2, ...SETTINGS });
  });

  it('keeps the last error, of calls and of probes, shortened', async () => {
    const { clock, one, document } = await twoProcesses();
    const error = (message: string) => ({ type: 'Error', message });
    one.record(one.admit(), FAILURE, error('first'));
    one.record(one.admit(), FAILURE, error('second'));
    fail(one);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'open', lastError: error('second') });
    await clock.advance(500);
    const permit = await one.askProbe();
    one.record(permit, FAILURE, error('x'.repeat(1_000)));
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'open', lastError: error('x'.repeat(300)) });
  });

  it('adds up over processes, and opens for all at the threshold', async () => {
    const { clock, one, two, document } = await twoProcesses();
    fail(one, 2);
    await clock.advance(100);
    fail(two);
    // At once where it was reached, before the store has answered.
    expect(two.admit()).toBe(REFUSED);
    expect(two.openForMs()).toBe(PARKED_AT_MOST_MS);
    expect(one.admit()).not.toBe(REFUSED);
    await clock.advance(20);
    expect(one.admit()).toBe(REFUSED);
    expect(await document()).toMatchObject({ state: 'open', failures: 3 });
  });

  it('a success between two failures counts, whoever had it', async () => {
    const { clock, one, two, document } = await twoProcesses();
    fail(one, 2);
    await clock.advance(100);
    two.record(two.admit(), undefined);
    await clock.advance(100);
    expect(await document()).toMatchObject({ failures: 0 });
    fail(one, 2);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'closed', failures: 2 });
  });

  it('says nothing of what was cancelled, and takes a final error for an answer', async () => {
    const { clock, store, one } = await twoProcesses();
    one.record(one.admit(), { errorClass: 'ignored', effect: 'unknown' });
    one.record(one.admit(), { errorClass: 'final', effect: 'none' });
    await clock.advance(100);
    expect(store.calls.get('apply')).toBeUndefined();
  });

  it('waits for a store that is away, and is open here meanwhile', async () => {
    const { clock, store, one, document } = await twoProcesses();
    store.fault = { calls: ['apply'], when: 'before' };
    fail(one, 3);
    await clock.advance(5_000);
    expect(one.admit()).toBe(REFUSED);
    store.fault = undefined;
    await clock.advance(1_000);
    expect(await document()).toMatchObject({ state: 'open', failures: 3 });
  });
});

/** One process, whose writes wait until they are let through. */
async function heldWrites() {
  const clock = virtualClock({ startMs: START_MS });
  const inner = memoryStore({ clock });
  const held: (() => void)[] = [];
  const apply: FaultyStore['apply'] = async (commands) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return inner.apply(commands);
  };
  const states: string[] = [];
  const events = syncSink((record) => {
    if (record.kind === 'breaker_changed') states.push(record.to);
  });
  const breaker = await processOn(clock, faultyStore({ ...inner, apply }), 'w1', events);
  const letThrough = async () => {
    held.shift()?.();
    await clock.advance(0);
  };
  const document = async () => JSON.parse((await inner.controls()).all[0]?.document ?? '{}');
  fail(breaker);
  await clock.advance(50);
  expect(held).toHaveLength(1);
  return { breaker, held, states, letThrough, document };
}

describe('failures while a write is under way', () => {
  it('that reach the threshold open it, and it stays open when that write ends', async () => {
    const { breaker, held, states, letThrough, document } = await heldWrites();
    fail(breaker, 2);
    expect(breaker.admit()).toBe(REFUSED);
    await letThrough();
    expect(await document()).toMatchObject({ state: 'closed', failures: 1 });
    expect(breaker.admit()).toBe(REFUSED);
    // They are reported at once.
    expect(held).toHaveLength(1);
    await letThrough();
    expect(await document()).toMatchObject({ state: 'open', failures: 3 });
    expect(breaker.admit()).toBe(REFUSED);
    expect(states).toEqual(['open']);
  });

  it('are waited for by whoever wants all of them written', async () => {
    const { breaker, letThrough, document } = await heldWrites();
    fail(breaker);
    let isWritten = false;
    void breaker.written().then(() => {
      isWritten = true;
    });
    await letThrough();
    expect(isWritten).toBe(false);
    await letThrough();
    expect(isWritten).toBe(true);
    expect(await document()).toMatchObject({ state: 'closed', failures: 2 });
  });
});

describe('a process that cannot write', () => {
  it('follows another one that was faster to open it, and does not stay open for ever', async () => {
    const { clock, store, two, document } = await twoProcesses();
    const cutOff = faultyStore(store);
    const third = await processOn(clock, cutOff, 'w3');
    cutOff.fault = { calls: ['apply'], when: 'before' };
    fail(third, 3);
    await clock.advance(100);
    expect(third.admit()).toBe(REFUSED);
    fail(two, 3);
    await clock.advance(500);
    expect(await document()).toMatchObject({ state: 'open' });
    cutOff.fault = undefined;
    expect([third.isProbeDue(true), third.openForMs()]).toEqual([true, PARKED_AT_MOST_MS]);
    two.record(await asked(clock, two), undefined);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'closed' });
    expect(third.admit()).not.toBe(REFUSED);
    // What it had counted then means nothing now.
    fail(third, 2);
    expect(third.openForMs()).toBe(0);
  });
});

describe('late ends', () => {
  it('of calls from before it opened count for nothing, also when it is closed again', async () => {
    const { clock, one, document } = await twoProcesses();
    const late = [one.admit(), one.admit(), one.admit(), one.admit()];
    fail(one, 3);
    await clock.advance(500);
    expect(one.isProbeDue(true)).toBe(true);
    one.record(await asked(clock, one), undefined);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'closed', failures: 0 });
    for (const permit of late) one.record(permit, FAILURE);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'closed', failures: 0 });
    expect(one.admit()).not.toBe(REFUSED);
  });

  it('of calls from before a reset count for nothing', async () => {
    const { clock, store, one, document } = await twoProcesses();
    fail(one);
    await clock.advance(100);
    const permit = one.admit();
    const next = resetBreaker;
    await updateControl(store, {
      of: 'breaker',
      key: 'api',
      next: (current, nowMs) => current && next(current, nowMs),
    });
    await clock.advance(100);
    for (let n = 0; n < 3; n += 1) one.record(permit, FAILURE);
    await clock.advance(100);
    expect(await document()).toMatchObject({ state: 'closed', failures: 0 });
  });
});

async function asked(clock: VirtualClock, breaker: JobBreaker): Promise<number> {
  const permit = breaker.askProbe();
  await clock.advance(0);
  return permit;
}

describe('a probe', () => {
  it('is one, whoever asks', async () => {
    const { clock, one, two } = await twoProcesses();
    fail(one, 3);
    await clock.advance(500);
    const permits = Promise.all([one.askProbe(), two.askProbe()]);
    await clock.advance(0);
    expect((await permits).filter((permit) => permit !== REFUSED)).toHaveLength(1);
    expect([one.isProbeDue(true), two.isProbeDue(true)]).toEqual([false, false]);
  });

  it('that was taken away makes room for another one at once', async () => {
    const { clock, one, two } = await twoProcesses();
    fail(one, 3);
    await clock.advance(500);
    const permit = await asked(clock, one);
    expect(one.isProbe(permit)).toBe(true);
    one.record(permit, { errorClass: 'ignored', effect: 'unknown' });
    await clock.advance(50);
    expect(two.isProbeDue(true)).toBe(true);
    expect(await asked(clock, two)).not.toBe(REFUSED);
  });

  it('that fails makes the next one wait for one timeout, or up to a tenth more', async () => {
    const { clock, one } = await twoProcesses();
    fail(one, 3);
    for (let n = 0; n < 20; n += 1) {
      await clock.advance(449);
      expect(one.isProbeDue(true)).toBe(false);
      await clock.advance(46);
      expect(one.isProbeDue(true)).toBe(true);
      one.record(await asked(clock, one), FAILURE);
      await clock.advance(0);
    }
  });

  it('waits with its jitter for the same time whoever writes', async () => {
    const nextAtMs = async () => {
      const { clock, one, two, document } = await twoProcesses();
      fail(one, 3);
      await clock.advance(500);
      two.record(await asked(clock, two), FAILURE);
      await clock.advance(0);
      return (await document()).probes.nextAtMs;
    };
    expect(await nextAtMs()).toBe(await nextAtMs());
  });

  it('is a job that was parked, and another one only where none of them begins', async () => {
    const { clock, one } = await twoProcesses();
    fail(one, 3);
    await clock.advance(500);
    expect([one.isProbeDue(true), one.isProbeDue(false)]).toEqual([true, false]);
    await clock.advance(5_000);
    expect(one.isProbeDue(false)).toBe(true);
  });

  it('takes the timeout of a policy that was reloaded along', async () => {
    const { clock, one, document } = await twoProcesses();
    fail(one, 3);
    await clock.advance(500);
    one.settings = { threshold: 3, timeoutMs: 20_000 };
    one.record(await asked(clock, one), FAILURE);
    await clock.advance(0);
    const { timeoutMs, probes } = await document();
    expect(timeoutMs).toBe(20_000);
    expect(probes.nextAtMs).toBeGreaterThanOrEqual(clock.now() + 20_000);
  });

  it('that hangs makes room for another one in the end, also in the same process', async () => {
    const { clock, one, document } = await twoProcesses();
    fail(one, 3);
    await clock.advance(500);
    const hung = await asked(clock, one);
    await clock.advance(300_000);
    expect(one.isProbeDue(true)).toBe(false);
    await clock.advance(40_000);
    expect(one.isProbeDue(true)).toBe(true);
    const next = await asked(clock, one);
    one.record(hung, FAILURE);
    expect(await document()).toMatchObject({ state: 'half_open', probe: 2 });
    one.record(next, undefined);
    await clock.advance(50);
    expect(await document()).toMatchObject({ state: 'closed' });
  });
});

describe('an operator’s word', () => {
  it('holds in every process until its end', async () => {
    const { clock, store, one, two } = await twoProcesses();
    fail(one);
    await clock.advance(100);
    const sinceMs = clock.now();
    await updateControl(store, {
      of: 'breaker',
      key: 'api',
      next: (current) =>
        current &&
        forceBreaker(current, { state: 'open', sinceMs, untilMs: sinceMs + 5_000, by: 'ada' }),
    });
    await clock.advance(50);
    expect([one.admit(), two.admit()]).toEqual([REFUSED, REFUSED]);
    expect(one.isProbeDue(true)).toBe(false);
    await clock.advance(5_000);
    expect(one.admit()).not.toBe(REFUSED);
  });

  it('that it is closed holds whatever fails, also over one that is open', async () => {
    const { clock, store, one, two } = await twoProcesses();
    fail(one, 3);
    await clock.advance(100);
    const forced = { state: 'closed', sinceMs: clock.now(), by: 'ada' } as const;
    await updateControl(store, {
      of: 'breaker',
      key: 'api',
      next: (current) => current && forceBreaker(current, forced),
    });
    await clock.advance(50);
    for (let n = 0; n < 10; n += 1) {
      fail(one);
      expect([one.openForMs(), two.openForMs()]).toEqual([0, 0]);
    }
    await clock.advance(100);
    expect([one.openForMs(), two.openForMs()]).toEqual([0, 0]);
  });
});
