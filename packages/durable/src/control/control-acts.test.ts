import { isRedriveError } from '@redrive/core';
import { describe, expect, test } from 'vitest';
import type { FullStore } from '../store/full-store.ts';
import {
  BANK,
  BOB,
  closeGate,
  controlBench,
  EVE,
  notes,
  openBreaker,
  parkJobs,
} from '../testing/control-bench.ts';
import { START_MS } from '../testing/work-bench.ts';
import { breakers, forceBreaker, halfOpenBreaker, resetBreaker } from './breakers.ts';
import { controlOverview } from './control-overview.ts';
import { gates, releaseGate } from './gates.ts';
import { engageKill, pauseWork } from './kill-switches.ts';
import { endHold, holdPark, releasePark } from './park-acts.ts';
import { parkedCauses } from './parked-causes.ts';
import { causes, gateKey, type ParkedCause } from './rules/documents.ts';
import { documentsIn, updateControl } from './update-control.ts';

describe('breakers', () => {
  test('are listed with what holds and the next probe', async () => {
    const { store } = controlBench();
    await openBreaker(store);
    expect(await breakers(store)).toMatchObject([
      { dependency: 'bank', state: 'open', nextProbeAtMs: START_MS + 3_000, forced: undefined },
    ]);
  });

  test('are forced until their end, whatever they have found out', async () => {
    const { store, clock } = controlBench();
    await openBreaker(store);
    const { breaker, changed } = await forceBreaker(store, {
      dependency: 'bank',
      state: 'closed',
      until: { inMs: 60_000 },
      actor: EVE,
    });
    expect(changed).toBe(true);
    expect(breaker).toMatchObject({
      state: 'closed',
      nextProbeAtMs: undefined,
      forced: { state: 'closed', untilMs: START_MS + 60_000, by: 'cli:eve', why: 'INC-7' },
      breaker: { state: 'open' },
    });
    await clock.advance(60_000);
    expect(await breakers(store)).toMatchObject([{ state: 'open', forced: undefined }]);
    expect(await notes(store)).toEqual([
      [
        'breaker:bank',
        { by: 'cli:eve', why: 'INC-7', act: 'force_closed', until: { inMs: 60_000 } },
      ],
    ]);
  });

  test('a breaker without reports can be forced, and nothing else', async () => {
    const { store } = controlBench();
    expect(await halfOpenBreaker(store, { dependency: 'new', actor: EVE })).toEqual({
      changed: false,
      breaker: undefined,
    });
    expect(await resetBreaker(store, { dependency: 'new', actor: EVE })).toMatchObject({
      changed: false,
    });
    await forceBreaker(store, { dependency: 'new', state: 'open', actor: EVE });
    expect(await breakers(store)).toMatchObject([
      { dependency: 'new', state: 'open', breaker: { threshold: 5, timeoutMs: 60_000 } },
    ]);
  });

  test('half-open lets the next probe begin at once; reset forgets all', async () => {
    const { store } = controlBench();
    await openBreaker(store);
    const half = await halfOpenBreaker(store, { dependency: 'bank', actor: EVE });
    expect(half.breaker).toMatchObject({ state: 'open', nextProbeAtMs: START_MS });
    const { breaker } = await resetBreaker(store, { dependency: 'bank', actor: EVE });
    expect(breaker).toMatchObject({ state: 'closed', breaker: { failures: 0 } });
  });

  test('an end that has passed is refused', async () => {
    const { store } = controlBench();
    const until = { atMs: START_MS - 1 };
    await expect(
      forceBreaker(store, { dependency: 'bank', state: 'open', until, actor: EVE }),
    ).rejects.toThrow('must be in the future');
    expect(await breakers(store)).toEqual([]);
  });
});

describe('gates', () => {
  test('are listed while they are closed', async () => {
    const { store, clock } = controlBench();
    await closeGate(store, { tenant: 'acme' });
    expect(await gates(store)).toMatchObject([{ dependency: 'search', tenant: 'acme' }]);
    await clock.advance(5_000);
    expect(await gates(store)).toEqual([]);
  });

  test('are opened by hand, the one that is meant and no other', async () => {
    const { store } = controlBench();
    await closeGate(store);
    await closeGate(store, { tenant: 'acme' });
    const { released } = await releaseGate(store, { dependency: 'search', actor: EVE });
    expect(released).toMatchObject({ dependency: 'search', tenant: '' });
    expect(await releaseGate(store, { dependency: 'search', actor: EVE })).toEqual({});
    expect(await gates(store)).toMatchObject([{ tenant: 'acme' }]);
    expect(await notes(store)).toHaveLength(1);
  });
});

describe('what is parked', () => {
  test('is listed by cause: count, start and condition', async () => {
    const { store, clock } = controlBench();
    await openBreaker(store);
    await closeGate(store);
    const gate = causes.gate(gateKey({ dependency: 'search', credential: '', tenant: '' }));
    await parkJobs(store, BANK, 3);
    await parkJobs(store, gate, 1);
    await parkJobs(store, 'budget_exhausted', 2);
    await parkJobs(store, 'breaker:gone', 1);
    await clock.advance(10);
    const sinceMs = START_MS;
    expect(await parkedCauses(store)).toMatchObject([
      {
        cause: BANK,
        count: 3,
        bounded: false,
        sinceMs,
        waitsFor: { kind: 'breaker', state: 'open', nextProbeAtMs: START_MS + 3_000 },
      },
      { cause: 'breaker:gone', count: 1, sinceMs: undefined, waitsFor: { kind: 'nothing' } },
      { cause: 'budget_exhausted', count: 2, waitsFor: { kind: 'time' } },
      { cause: gate, count: 1, sinceMs, waitsFor: { kind: 'gate', untilMs: START_MS + 5_000 } },
    ]);
    await holdPark(store, { cause: BANK, actor: EVE });
    expect((await parkedCauses(store)).at(0)?.sinceMs).toBe(sinceMs);
    await clock.advance(5_000);
    expect((await parkedCauses(store)).at(-1)?.waitsFor).toEqual({ kind: 'nothing' });
  });

  test('is released as a whole, in part, or at a pace', async () => {
    const { store } = controlBench();
    await openBreaker(store);
    await parkJobs(store, BANK, 1_203);
    const some = await releasePark(store, { cause: BANK, count: 2, actor: EVE });
    expect(some).toEqual({ released: 2, more: true });
    const paced = await releasePark(store, { cause: BANK, pace: { perSecond: 7 }, actor: EVE });
    expect(paced).toEqual({ released: 0, more: true });
    expect(await parkedCauses(store)).toMatchObject([{ count: 1_201, perSecond: 7 }]);
    const all = await releasePark(store, { cause: BANK, actor: EVE });
    expect(all).toEqual({ released: 1_201, more: false });
    expect(await store.parks()).toEqual([]);
    expect(documentsIn(await store.controls(), 'park').size).toBe(0);
  });

  test('comes back while it is released: no more than there were are touched', async () => {
    const { store } = controlBench();
    await parkJobs(store, BANK, 1_200);
    let calls = 0;
    const busy: FullStore = {
      ...store,
      apply: async (commands) => {
        const answers = await store.apply(commands);
        calls += 1;
        if (calls < 10) await parkJobs(store, BANK, 100);
        return answers;
      },
    };
    const { released, more } = await releasePark(busy, { cause: BANK, actor: EVE });
    expect({ released, more, calls }).toEqual({ released: 1_200, more: true, calls: 2 });
  });

  test('is held, and the hold ends by hand, with its pace as it was', async () => {
    const { store } = controlBench();
    await parkJobs(store, BANK, 1);
    await releasePark(store, { cause: BANK, pace: {}, actor: EVE });
    const wish = { cause: BANK, actor: EVE };
    expect(await holdPark(store, wish)).toMatchObject({ changed: true });
    const again = await holdPark(store, { ...wish, actor: BOB });
    expect(again).toMatchObject({ changed: false, held: { by: 'cli:eve', why: 'INC-7' } });
    expect(await parkedCauses(store)).toMatchObject([{ held: { by: 'cli:eve' }, perSecond: 5 }]);
    expect(await endHold(store, wish)).toEqual({ changed: true });
    expect(await endHold(store, wish)).toEqual({ changed: false });
    expect(await parkedCauses(store)).toMatchObject([{ held: undefined, perSecond: 5 }]);
    const acts = (await notes(store)).map(([subject, { act }]) => [subject, act]);
    expect(acts).toEqual([
      ['park:breaker:bank', 'release'],
      ['park:breaker:bank', 'hold'],
      ['park:breaker:bank', 'end_hold'],
    ]);
  });

  test('cannot be held where each job waits for a time of its own', async () => {
    const { store } = controlBench();
    const held = holdPark(store, { cause: 'budget:bank', actor: EVE });
    await expect(held).rejects.toThrow('each waits for its own time');
    expect((await store.controls()).revision).toBe(0);
  });

  test('at a pace that was asked for shows it, also after a probe', async () => {
    const { store } = controlBench();
    await parkJobs(store, BANK, 2);
    await releasePark(store, { cause: BANK, pace: { perSecond: 7 }, actor: EVE });
    const next = (park: ParkedCause | undefined) => park && { ...park, pace: undefined };
    await updateControl(store, { of: 'park', key: BANK, next });
    expect(await parkedCauses(store)).toMatchObject([{ perSecond: 7 }]);
    await releasePark(store, { cause: BANK, pace: {}, actor: EVE });
    expect(await parkedCauses(store)).toMatchObject([{ perSecond: 5 }]);
  });

  test('a release of some leaves the hold, one of all ends it', async () => {
    const { store } = controlBench();
    await parkJobs(store, BANK, 3);
    await holdPark(store, { cause: BANK, actor: EVE });
    await releasePark(store, { cause: BANK, count: 1, actor: EVE });
    expect(await parkedCauses(store)).toMatchObject([{ count: 2, held: { by: 'cli:eve' } }]);
    await releasePark(store, { cause: BANK, actor: EVE });
    expect(await parkedCauses(store)).toEqual([]);
  });

  test.each([
    [{ count: 1, pace: {} }, 'cannot be given together'],
    [{ count: 0 }, 'count must be a whole number'],
    [{ pace: { perSecond: 1e9 } }, 'perSecond must be a number'],
  ])('a wrong release is refused: %j', async (wish, message) => {
    const { store } = controlBench();
    const released = releasePark(store, { cause: BANK, ...wish, actor: EVE });
    await expect(released).rejects.toThrow(message);
    expect(isRedriveError(await released.catch((error) => error), 'invalid_option')).toBe(true);
  });
});

test('an overview has all of it, read at once', async () => {
  const { store } = controlBench();
  await openBreaker(store);
  await closeGate(store);
  await engageKill(store, { scope: 'tenant', name: 'acme', actor: EVE });
  await parkJobs(store, BANK, 1);
  await pauseWork(store, { scope: 'queue', name: 'q', actor: EVE });
  expect(await controlOverview(store)).toMatchObject({
    nowMs: START_MS,
    killSwitches: [{ scope: 'tenant', name: 'acme' }],
    pauses: [{ scope: 'queue', name: 'q' }],
    breakers: [{ dependency: 'bank' }],
    gates: [{ dependency: 'search' }],
    parked: [{ cause: BANK, count: 1 }],
  });
});
