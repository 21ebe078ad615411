import { isRedriveError } from '@redrive/core';
import {
  type ClosedGate,
  causes,
  closedBreaker,
  gateKey,
  openPace,
  type ParkedCause,
} from '@redrive/core/control';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { submitOperation } from '../operation/submit-operation.ts';
import type { FullStore } from '../store/full-store.ts';
import { parkJobs } from '../testing/park-jobs.ts';
import { START_MS } from '../testing/work-bench.ts';
import { breakers, forceBreaker, halfOpenBreaker, resetBreaker } from './breakers.ts';
import { controlOverview } from './control-overview.ts';
import { documentsIn } from './documents-in.ts';
import { gates, releaseGate } from './gates.ts';
import { engageKill, killSwitches } from './kill-switches.ts';
import { KILL_SCOPES, killKey, killTargetOf } from './kill-target.ts';
import { endHold, holdPark, releasePark } from './park-acts.ts';
import { parkedCauses } from './parked-causes.ts';
import { releaseKill } from './release-kill.ts';
import { updateControl } from './update-control.ts';

const EVE = { name: 'cli:eve', why: 'INC-7' };
const BOB = { name: 'cli:bob' };
const BANK = causes.breaker('bank');

function setUp() {
  const clock = virtualClock({ startMs: START_MS });
  return { clock, store: memoryStore({ clock }) };
}

/** What stands in the audit log about controls: subject and detail. */
async function notes(store: FullStore) {
  const blocks = await store.auditBlocks(0, 1_000);
  return blocks
    .flatMap(({ body }) => JSON.parse(body))
    .filter((record) => record[2] === 'control')
    .map((record) => [record[0], record[10]]);
}

async function openBreaker(store: FullStore, dependency = 'bank') {
  const probes = { failed: 2, nextAtMs: START_MS + 3_000 };
  await updateControl(store, {
    of: 'breaker',
    key: dependency,
    next: (_current, nowMs) => ({
      ...closedBreaker({ threshold: 3, timeoutMs: 10_000 }, nowMs),
      state: 'open',
      failures: 5,
      lastFailureAtMs: nowMs,
      probes,
    }),
  });
}

async function closeGate(store: FullStore, given: Partial<ClosedGate> = {}) {
  const whole = { dependency: 'search', credential: '', tenant: '', cut: false, ...given };
  await updateControl(store, {
    of: 'gate',
    key: gateKey(whole),
    next: (_current, nowMs) => ({ untilMs: nowMs + 5_000, sinceMs: nowMs, ...whole }),
  });
}

describe('kill switches', () => {
  test('stop claims until they are released, with who and why on record', async () => {
    const { store } = setUp();
    const jobs = jobsOn(store, { mail: async () => {} });
    await jobs.enqueue('mail', undefined);
    const claim = async () => {
      const lane = { handler: 'mail', limit: 1, policyHash: 'p', maxAttempts: 3, limitPerKey: 1 };
      const [answer] = await store.apply([
        { kind: 'claim', worker: 'w', leaseMs: 1_000, lanes: [lane], limit: 1, ahead: 0 },
      ]);
      return answer.jobs.length;
    };
    const { changed, engaged } = await engageKill(store, {
      scope: 'operation',
      name: 'mail',
      actor: EVE,
    });
    expect(changed).toBe(true);
    expect(engaged).toEqual({
      scope: 'operation',
      name: 'mail',
      mode: 'finish',
      sinceMs: START_MS,
      by: 'cli:eve',
      why: 'INC-7',
    });
    expect(await killSwitches(store)).toEqual([engaged]);
    expect(await claim()).toBe(0);
    const wish = { scope: 'operation', name: 'mail', actor: BOB } as const;
    expect(await releaseKill(store, wish)).toEqual({ released: engaged });
    expect(await killSwitches(store)).toEqual([]);
    expect((await store.controls()).all).toEqual([]);
    expect(await claim()).toBe(1);
    expect(await notes(store)).toEqual([
      ['kill:operation:mail', { by: 'cli:eve', why: 'INC-7', act: 'engage', mode: 'finish' }],
      ['kill:operation:mail', { by: 'cli:bob', act: 'release' }],
    ]);
  });

  test('engaged twice, one says so; another mode is a change, and it keeps its beginning', async () => {
    const { store, clock } = setUp();
    await engageKill(store, { scope: 'all', actor: EVE });
    await clock.advance(1_000);
    const again = await engageKill(store, { scope: 'all', actor: BOB });
    expect(again).toMatchObject({ changed: false, engaged: { by: 'cli:eve', sinceMs: START_MS } });
    const other = await engageKill(store, { scope: 'all', mode: 'interrupt', actor: BOB });
    expect(other).toMatchObject({
      changed: true,
      engaged: { by: 'cli:bob', mode: 'interrupt', sinceMs: START_MS },
    });
    expect(await notes(store)).toHaveLength(2);
  });

  test('released at a pace: what was submitted before comes back at it', async () => {
    const { store, clock } = setUp();
    await engageKill(store, { scope: 'queue', name: 'q', actor: EVE });
    await clock.advance(60_000);
    await releaseKill(store, { scope: 'queue', name: 'q', pace: { perSecond: 20 }, actor: EVE });
    const nowMs = START_MS + 60_000;
    const controls = await store.controls();
    expect([...documentsIn(controls, 'kill')]).toEqual([]);
    expect([...documentsIn(controls, 'park')]).toEqual([
      [
        'kill:queue:q',
        {
          sinceMs: nowMs,
          pace: openPace(nowMs, 20),
          askedPerSecond: 20,
          submittedBeforeMs: nowMs,
        },
      ],
    ]);
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:queue:q', count: 0, perSecond: 20, waitsFor: { kind: 'nothing' } },
    ]);
    expect((await notes(store)).at(-1)?.[1]).toMatchObject({
      act: 'release',
      pace: { perSecond: 20 },
    });
  });

  test('released at once, the pace of an earlier release goes too; a hold stays', async () => {
    const { store } = setUp();
    const target = { scope: 'all', actor: EVE } as const;
    await engageKill(store, target);
    await releaseKill(store, { ...target, pace: {} });
    await engageKill(store, target);
    await releaseKill(store, target);
    expect((await store.controls()).all).toEqual([]);
    await engageKill(store, target);
    await holdPark(store, { cause: 'kill:all', actor: BOB });
    await releaseKill(store, target);
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:all', held: { by: 'cli:bob' }, perSecond: undefined },
    ]);
  });

  test('a pace that somebody else changes in between is written all the same', async () => {
    const { store } = setUp();
    await engageKill(store, { scope: 'all', actor: EVE });
    let isFirst = true;
    const racing: FullStore = {
      ...store,
      async controls() {
        const seen = await store.controls();
        if (isFirst) await holdPark(store, { cause: 'kill:all', actor: BOB });
        isFirst = false;
        return seen;
      },
    };
    const { released } = await releaseKill(racing, { scope: 'all', pace: {}, actor: EVE });
    expect(released).toMatchObject({ scope: 'all', by: 'cli:eve' });
    expect(await parkedCauses(store)).toMatchObject([
      { cause: 'kill:all', perSecond: 5, held: { by: 'cli:bob' } },
    ]);
  });

  test('stay engaged where the pace cannot be written', async () => {
    const { store } = setUp();
    await engageKill(store, { scope: 'all', actor: EVE });
    const full: FullStore = {
      ...store,
      apply: (async (commands: Parameters<FullStore['apply']>[0]) => {
        const left = commands.filter((each) => each.kind !== 'control' || each.of !== 'park');
        const answers = left.length === 0 ? [] : [...(await store.apply(left))];
        const refused = { ok: false, refusal: 'full' } as const;
        return commands.map((each) => (left.includes(each) ? answers.shift() : refused));
      }) as FullStore['apply'], // The results are those of the same commands.
    };
    const released = releaseKill(full, { scope: 'all', pace: {}, actor: EVE });
    await expect(released).rejects.toThrow('too many control documents');
    expect(await killSwitches(store)).toHaveLength(1);
  });

  test('released at once, what an earlier release left parked is ready too, unless it is held', async () => {
    const { store } = setUp();
    const target = { scope: 'all', actor: EVE } as const;
    await parkJobs(store, 'kill:all', 1_001);
    await engageKill(store, target);
    await holdPark(store, { cause: 'kill:all', actor: BOB });
    await releaseKill(store, target);
    expect(await store.parks()).toMatchObject([{ count: 1_001 }]);
    await endHold(store, { cause: 'kill:all', actor: BOB });
    await engageKill(store, target);
    await releaseKill(store, target);
    expect(await store.parks()).toEqual([]);
  });

  test('a key that names nothing stops nothing, and is not shown', async () => {
    const { store } = setUp();
    const next = (_: unknown, sinceMs: number) => ({ mode: 'finish', sinceMs, by: 'x' }) as const;
    for (const key of ['handler:mail', 'all:mail', 'some']) {
      await updateControl(store, { of: 'kill', key, next });
      expect(killTargetOf(key)).toBeUndefined();
    }
    await parkJobs(store, 'kill:handler:mail', 1);
    expect(await killSwitches(store)).toEqual([]);
    expect(await parkedCauses(store)).toMatchObject([{ waitsFor: { kind: 'nothing' } }]);
  });

  test('what is not engaged is not released, and leaves no trace', async () => {
    const { store } = setUp();
    expect(await releaseKill(store, { scope: 'all', pace: {}, actor: EVE })).toEqual({});
    expect((await store.controls()).revision).toBe(0);
    expect(await notes(store)).toEqual([]);
  });

  test.each([
    [{ scope: 'all', name: 'x' }, 'all has no name'],
    [{ scope: 'queue' }, 'the name of the queue is missing'],
    [{ scope: 'world' }, 'scope must be one of all, queue, operation, tenant'],
    [{ scope: 'queue', name: '' }, 'name must not be empty'],
    [{ scope: 'queue', name: 'a\nb' }, 'control characters'],
  ])('a wrong target is refused: %j', async (target, message) => {
    const { store } = setUp();
    // What somebody without a compiler may pass.
    const wrong = { ...target, actor: EVE } as Parameters<typeof engageKill>[1];
    await expect(engageKill(store, wrong)).rejects.toThrow(message);
    await expect(releaseKill(store, wrong)).rejects.toThrow(message);
  });

  test('keys lead back to what they name', () => {
    for (const scope of KILL_SCOPES) {
      const target = scope === 'all' ? { scope } : { scope, name: 'a:b all' };
      expect(killTargetOf(killKey(target))).toEqual(target);
    }
    expect(killTargetOf(killKey({ scope: 'tenant', name: '' }))).toEqual({
      scope: 'tenant',
      name: '',
    });
  });

  test('a pace has bounds', async () => {
    const { store } = setUp();
    const wish = { scope: 'all', pace: { perSecond: 0.5 }, actor: EVE } as const;
    await expect(releaseKill(store, wish)).rejects.toThrow('perSecond must be a number from 1');
  });

  test('a secret in a reason is masked', async () => {
    const { store } = setUp();
    const why = 'password=hunter2 leaked';
    await engageKill(store, { scope: 'all', actor: { name: 'eve', why } });
    expect(JSON.stringify([await killSwitches(store), await notes(store)])).not.toContain(
      'hunter2',
    );
  });
});

describe('breakers', () => {
  test('are listed with what holds and the next probe', async () => {
    const { store } = setUp();
    await openBreaker(store);
    expect(await breakers(store)).toMatchObject([
      { dependency: 'bank', state: 'open', nextProbeAtMs: START_MS + 3_000, forced: undefined },
    ]);
  });

  test('are forced until their end, whatever they have found out', async () => {
    const { store, clock } = setUp();
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

  test('one that nobody has told anything about can be forced, and nothing else', async () => {
    const { store } = setUp();
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
    const { store } = setUp();
    await openBreaker(store);
    const half = await halfOpenBreaker(store, { dependency: 'bank', actor: EVE });
    expect(half.breaker).toMatchObject({ state: 'open', nextProbeAtMs: START_MS });
    const { breaker } = await resetBreaker(store, { dependency: 'bank', actor: EVE });
    expect(breaker).toMatchObject({ state: 'closed', breaker: { failures: 0 } });
  });

  test('an end that has passed is refused', async () => {
    const { store } = setUp();
    const until = { atMs: START_MS - 1 };
    await expect(
      forceBreaker(store, { dependency: 'bank', state: 'open', until, actor: EVE }),
    ).rejects.toThrow('must be in the future');
    expect(await breakers(store)).toEqual([]);
  });
});

describe('gates', () => {
  test('are listed while they are closed', async () => {
    const { store, clock } = setUp();
    await closeGate(store, { tenant: 'acme' });
    expect(await gates(store)).toMatchObject([{ dependency: 'search', tenant: 'acme' }]);
    await clock.advance(5_000);
    expect(await gates(store)).toEqual([]);
  });

  test('are opened by hand, the one that is meant and no other', async () => {
    const { store } = setUp();
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
  test('is told by cause: how many, since when, what for', async () => {
    const { store, clock } = setUp();
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

  test('under an act on many waits for it only while its ramp is to be decided', async () => {
    const { store } = setUp();
    const target = { filter: { handler: 'mail' }, limit: 10 };
    for (const [id, ramp] of [
      ['ramped', [1]],
      ['straight', false],
    ] as const) {
      await submitOperation(store, { id, act: 'requeue', target, ramp, actor: EVE });
      await parkJobs(store, causes.operation(id), 1);
    }
    expect((await parkedCauses(store)).map(({ waitsFor }) => waitsFor)).toEqual([
      { kind: 'operation', id: 'ramped' },
      { kind: 'nothing' },
    ]);
  });

  test('is released as a whole, in part, or at a pace', async () => {
    const { store } = setUp();
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
    const { store } = setUp();
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
    const { store } = setUp();
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
    const { store } = setUp();
    const held = holdPark(store, { cause: 'budget:bank', actor: EVE });
    await expect(held).rejects.toThrow('waits for a time of its own');
    expect((await store.controls()).revision).toBe(0);
  });

  test('at a pace that was asked for shows it, also after a probe', async () => {
    const { store } = setUp();
    await parkJobs(store, BANK, 2);
    await releasePark(store, { cause: BANK, pace: { perSecond: 7 }, actor: EVE });
    const next = (park: ParkedCause | undefined) => park && { ...park, pace: undefined };
    await updateControl(store, { of: 'park', key: BANK, next });
    expect(await parkedCauses(store)).toMatchObject([{ perSecond: 7 }]);
    await releasePark(store, { cause: BANK, pace: {}, actor: EVE });
    expect(await parkedCauses(store)).toMatchObject([{ perSecond: 5 }]);
  });

  test('a release of some leaves the hold, one of all ends it', async () => {
    const { store } = setUp();
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
    const { store } = setUp();
    const released = releasePark(store, { cause: BANK, ...wish, actor: EVE });
    await expect(released).rejects.toThrow(message);
    expect(isRedriveError(await released.catch((error) => error), 'invalid_option')).toBe(true);
  });
});

test('an overview has all of it, read at once', async () => {
  const { store } = setUp();
  await openBreaker(store);
  await closeGate(store);
  await engageKill(store, { scope: 'tenant', name: 'acme', actor: EVE });
  await parkJobs(store, BANK, 1);
  await store.apply([{ kind: 'pause', scope: 'queue', name: 'q', actor: EVE }]);
  expect(await controlOverview(store)).toMatchObject({
    nowMs: START_MS,
    killSwitches: [{ scope: 'tenant', name: 'acme' }],
    pauses: [{ scope: 'queue', name: 'q' }],
    breakers: [{ dependency: 'bank' }],
    gates: [{ dependency: 'search' }],
    parked: [{ cause: BANK, count: 1 }],
  });
});
