import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { type FaultyStore, faultyStore } from '../testing/faulty-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import type { Notice } from '../worker/notice.ts';
import { StoreTime } from '../worker/store-contact.ts';
import { ControlView } from './control-view.ts';
import { updateControl } from './update-control.ts';

const ALL_READS = ['controls', 'controlRevision'] as const;

/** A view of a store in memory, started. `watched`: it is notified of changes. */
async function viewBench({ watched = true } = {}) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store: FaultyStore = faultyStore(memoryStore({ clock }));
  const notices: Notice[] = [];
  const counts = { fresh: 0, changed: 0 };
  const needed = { now: true };
  /** For so long the process has stood still: its timers fire late. */
  const stall = { ms: 0 };
  const view = new ControlView({
    store,
    clock: { ...clock, monotonic: () => clock.monotonic() + stall.ms },
    time: new StoreTime(clock),
    notify: (notice) => void notices.push(notice),
    isNeeded: () => needed.now,
    onFresh: () => {
      counts.fresh += 1;
    },
  });
  view.onChange(() => {
    counts.changed += 1;
  });
  const stop = watched
    ? store.watch((change) => change === 'control' && view.changeNotified())
    : () => {};
  onTestFinished(() => {
    stop();
    view.close();
    expect(clock.pendingTimers).toBe(0);
  });
  view.start();
  await clock.advance(0);
  return { clock, store, view, notices, counts, needed, stall };
}

const gate = (untilMs: number) => ({
  ...{ dependency: 'd', credential: '', tenant: '', cut: false },
  ...{ untilMs, sinceMs: START_MS },
});

describe('a view of the controls', () => {
  it('is not fresh before the store has said anything', async () => {
    const clock = virtualClock();
    const store = memoryStore({ clock });
    const time = new StoreTime(clock);
    const view = new ControlView({
      ...{ store, clock, time, notify: () => {}, onFresh: () => {} },
      isNeeded: () => true,
    });
    expect(view.isFresh()).toBe(false);
    view.start();
    expect(view.isFresh()).toBe(false);
    await clock.advance(0);
    expect(view.isFresh()).toBe(true);
    view.close();
  });

  it('is notified of a change at once, and sees it without a watch within a quarter of a second', async () => {
    for (const watched of [true, false]) {
      const { clock, store, view } = await viewBench({ watched });
      await clock.advance(1_030);
      await engage(store, 'queue:mail');
      await clock.advance(watched ? 0 : 250);
      expect(view.get('kill', 'queue:mail')?.document).toMatchObject({ mode: 'finish', by: 'ann' });
      await disengage(store, 'queue:mail');
      await clock.advance(watched ? 10 : 250);
      expect(view.of('kill').size).toBe(0);
    }
  });

  it('reads all documents only when their revision is another one', async () => {
    const { clock, store, view } = await viewBench();
    await clock.advance(10_000);
    expect(store.calls.get('controls')).toBe(1);
    expect(store.calls.get('controlRevision')).toBeGreaterThan(40);
    expect(store.calls.get('controlRevision')).toBeLessThan(60);
    const before = view.get('kill', 'all');
    await engage(store, 'all');
    await engage(store, 'tenant:a');
    await clock.advance(100);
    const all = view.get('kill', 'all');
    expect(before).toBeUndefined();
    await engage(store, 'tenant:b');
    await clock.advance(100);
    // What has not changed is not parsed again.
    expect(view.get('kill', 'all')).toBe(all);
    expect(view.of('kill').size).toBe(3);
  });

  it('fails closed: a second without an answer, and nothing is fresh until there is one', async () => {
    for (const when of ['before', 'never'] as const) {
      const { clock, store, view, notices, counts } = await viewBench();
      await clock.advance(1_000);
      store.fault = { calls: ALL_READS, when };
      await clock.advance(790);
      expect(view.isFresh()).toBe(true);
      await clock.advance(420);
      expect(view.isFresh()).toBe(false);
      expect(notices).toMatchObject([{ kind: 'controls_unconfirmed' }]);
      await clock.advance(30_000);
      expect(notices).toHaveLength(1);
      expect(counts.fresh).toBe(1);
      if (when === 'never') continue;
      store.fault = undefined;
      await clock.advance(1_000);
      expect(view.isFresh()).toBe(true);
      expect(notices[1]).toMatchObject({ kind: 'controls_confirmed' });
      expect(counts.fresh).toBe(2);
    }
  });

  it('of a process that stood still asks before it reports that there was no answer', async () => {
    const { clock, view, notices, stall } = await viewBench();
    await clock.advance(1_000);
    stall.ms = 1_200;
    expect(view.isFresh()).toBe(false);
    await clock.advance(210);
    expect(view.isFresh()).toBe(true);
    expect(notices).toEqual([]);
  });

  it('of a process that stood still asks again at once when an answer came too late', async () => {
    const { clock, store, view, notices, stall } = await viewBench();
    await clock.advance(1_000);
    const { controlRevision } = store;
    const { promise, resolve } = Promise.withResolvers<number>();
    store.controlRevision = () => promise;
    await clock.advance(200);
    stall.ms = 1_200;
    await clock.advance(0);
    store.controlRevision = controlRevision;
    resolve(0);
    await clock.advance(20);
    expect(view.isFresh()).toBe(true);
    expect(notices).toEqual([]);
  });

  it('of a process that stands still again and again reports the loss once, half a second later', async () => {
    const { clock, store, notices, stall } = await viewBench();
    await clock.advance(1_000);
    store.fault = { calls: ALL_READS, when: 'never' };
    await clock.advance(200);
    stall.ms = 1_200;
    for (let n = 0; n < 15; n++) {
      await clock.advance(100);
      stall.ms += 150;
    }
    expect(notices).toMatchObject([{ kind: 'controls_unconfirmed' }]);
  });

  it('does not take an answer for a confirmation that came later than a second', async () => {
    const { clock, store, view } = await viewBench();
    const { promise, resolve } = Promise.withResolvers<number>();
    const late = store.controlRevision;
    store.controlRevision = () => promise;
    await clock.advance(1_500);
    expect(view.isFresh()).toBe(false);
    store.controlRevision = late;
    resolve(0);
    await clock.advance(0);
    expect(view.isFresh()).toBe(false);
    await clock.advance(200);
    expect(view.isFresh()).toBe(true);
  });

  it('asks one question at a time', async () => {
    const { clock, store, view } = await viewBench();
    store.fault = { calls: ALL_READS, when: 'never' };
    await clock.advance(250);
    const asked = store.calls.get('controlRevision');
    for (let n = 0; n < 10; n++) view.changeNotified();
    await clock.advance(10_000);
    expect(store.calls.get('controlRevision')).toBe(asked);
  });

  it('that is doubted is not fresh until it was asked again', async () => {
    const { clock, view, counts } = await viewBench();
    await clock.advance(100);
    view.doubt();
    expect(view.isFresh()).toBe(false);
    await clock.advance(20);
    expect(view.isFresh()).toBe(true);
    expect(counts.fresh).toBe(2);
  });
});

describe('a view that nobody needs', () => {
  it('asks nothing, until it is needed or notified of a change', async () => {
    const { clock, store, view, notices, needed } = await viewBench();
    needed.now = false;
    await clock.advance(1_000);
    const asked = store.calls.get('controlRevision');
    await clock.advance(60_000);
    expect(store.calls.get('controlRevision')).toBe(asked);
    expect(clock.pendingTimers).toBe(0);
    expect(view.isFresh()).toBe(false);
    // It may claim: the store obeys by itself, and the question goes along.
    expect(view.mayClaim).toBe(true);
    expect(notices).toEqual([]);
    view.need();
    await clock.advance(0);
    expect(view.isFresh()).toBe(true);
    await engage(store, 'all');
    await clock.advance(20);
    expect(view.get('kill', 'all')).toBeDefined();
  });

  it('asks again when the answer came too late to count', async () => {
    const { clock, store, view, needed } = await viewBench();
    needed.now = false;
    await clock.advance(5_000);
    const { controlRevision } = store;
    const { promise, resolve } = Promise.withResolvers<number>();
    store.controlRevision = () => promise;
    view.need();
    await clock.advance(3_000);
    expect(view.mayClaim).toBe(false);
    store.controlRevision = controlRevision;
    resolve(0);
    await clock.advance(1_000);
    expect(view.mayClaim).toBe(true);
  });

  it('is confirmed by the pulse, or learns from it that there is something new', async () => {
    const { clock, store, view, needed } = await viewBench({ watched: false });
    needed.now = false;
    await clock.advance(5_000);
    view.revisionRead(0, clock.monotonic());
    expect(view.isFresh()).toBe(true);
    await engage(store, 'all');
    view.revisionRead(1, clock.monotonic());
    await clock.advance(20);
    expect(view.get('kill', 'all')).toBeDefined();
  });
});

describe('an update through the view', () => {
  it('is shown at once, and costs one write and no read', async () => {
    const { clock, store, view, counts } = await viewBench();
    const written = view.update({ of: 'gate', key: 'k', next: () => gate(START_MS + 5_000) });
    expect(view.get('gate', 'k')?.document.untilMs).toBe(START_MS + 5_000);
    expect(counts.changed).toBeGreaterThan(0);
    expect(await written).toMatchObject({ before: undefined, changed: true, revision: 1 });
    await clock.advance(1_000);
    expect(view.get('gate', 'k')).toMatchObject({ revision: 1 });
    expect(store.calls.get('controls')).toBe(1);
    expect((await store.controls()).all).toMatchObject([{ kind: 'gate', key: 'k', revision: 1 }]);
  });

  it('decides anew where somebody else was faster, and shows what came of it', async () => {
    const { clock, store, view } = await viewBench({ watched: false });
    await updateControl(store, { of: 'gate', key: 'k', next: () => gate(START_MS + 1) });
    const seen: (number | undefined)[] = [];
    const updated = await view.update({
      of: 'gate',
      key: 'k',
      next: (current) => {
        seen.push(current?.untilMs);
        return gate((current?.untilMs ?? START_MS) + 10);
      },
    });
    expect(seen).toEqual([undefined, START_MS + 1]);
    expect(updated.after?.untilMs).toBe(START_MS + 11);
    expect(view.get('gate', 'k')).toEqual({ revision: 2, document: gate(START_MS + 11) });
    await clock.advance(1_000);
    expect(view.get('gate', 'k')).toEqual({ revision: 2, document: gate(START_MS + 11) });
  });

  it('waits for the one before it', async () => {
    const { clock, store, view } = await viewBench();
    const add = () =>
      view.update({
        of: 'gate',
        key: 'k',
        next: (current) => gate((current?.untilMs ?? START_MS) + 1),
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(view.get('gate', 'k')?.document.untilMs).toBe(START_MS + 20);
    expect(store.calls.get('apply')).toBe(20);
    await view.update({ of: 'gate', key: 'k', next: () => null });
    expect(view.get('gate', 'k')).toBeUndefined();
    await clock.advance(1_000);
    expect(view.of('gate').size).toBe(0);
  });

  it('that fails leaves what the store has', async () => {
    const { clock, store, view } = await viewBench();
    store.fault = { calls: ['apply'], when: 'before' };
    const update = { of: 'gate', key: 'k', next: () => gate(START_MS + 1) } as const;
    await expect(view.update(update)).rejects.toThrow('out of reach');
    expect(view.get('gate', 'k')).toBeUndefined();
    store.fault = undefined;
    await view.update(update);
    await clock.advance(1_000);
    expect(view.get('gate', 'k')?.document.untilMs).toBe(START_MS + 1);
  });

  it('is not lost to an answer from before it', async () => {
    const { clock, store, view } = await viewBench();
    await clock.advance(1_000);
    const { controls } = store;
    const { promise, resolve } = Promise.withResolvers<void>();
    await engage(store, 'all');
    store.controls = async () => {
      const before = await controls();
      await promise;
      return before;
    };
    await clock.advance(10);
    await view.update({ of: 'gate', key: 'k', next: () => gate(START_MS + 1) });
    store.controls = controls;
    resolve();
    await clock.advance(0);
    expect(view.get('gate', 'k')?.document.untilMs).toBe(START_MS + 1);
    await clock.advance(500);
    expect(view.get('gate', 'k')?.document.untilMs).toBe(START_MS + 1);
    expect(view.get('kill', 'all')).toBeDefined();
  });
});
