import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import { StoreTime } from '../worker/store-contact.ts';
import { ControlView } from './control-view.ts';
import { updateControl } from './update-control.ts';

/** A view that has seen three changes of a store, and another store that takes over. */
async function takeOver() {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const other = memoryStore({ clock });
  const view = new ControlView({
    ...{ store, clock, time: new StoreTime(clock), notify: () => {}, onFresh: () => {} },
    isNeeded: () => true,
  });
  onTestFinished(() => view.close());
  for (const key of ['a', 'b', 'c']) await updateControl(store, gate(key, 1));
  view.start();
  await clock.advance(500);
  expect(view.of('gate').size).toBe(3);
  return {
    ...{ clock, store, other, view },
    async turn({ outageMs = 0 } = {}) {
      if (outageMs > 0) store.fault = { calls: ['controls', 'controlRevision'], when: 'before' };
      await clock.advance(outageMs);
      store.controls = () => other.controls();
      store.controlRevision = () => other.controlRevision();
      store.apply = other.apply.bind(other);
      store.fault = undefined;
    },
  };
}

const gate = (key: string, afterMs: number) => ({
  ...{ of: 'gate' as const, key },
  next: () => ({
    ...{ dependency: key, credential: '', tenant: '', cut: false },
    ...{ untilMs: START_MS + afterMs, sinceMs: START_MS },
  }),
});

describe('a store whose revision went back', () => {
  it('is believed: nothing of what was seen before holds, and a kill switch is obeyed', async () => {
    const { clock, other, view, turn } = await takeOver();
    await engage(other, 'all', 'interrupt');
    await updateControl(other, gate('a', 2));
    await turn();
    await clock.advance(500);
    expect(view.isFresh()).toBe(true);
    expect(view.get('kill', 'all')?.document.mode).toBe('interrupt');
    expect([...view.of('gate').keys()]).toEqual(['a']);
    expect(view.get('gate', 'a')?.document.untilMs).toBe(START_MS + 2);
  });

  it('is believed after an own write that the view had not caught up with', async () => {
    const { clock, store, other, view, turn } = await takeOver();
    // Of the changes 4 and 5 it knows only its own.
    await engage(store, 'tenant:t');
    await view.update(gate('d', 1));
    for (const key of ['x', 'y', 'z']) await engage(other, `tenant:${key}`);
    await turn();
    await clock.advance(500);
    expect([...view.of('kill').keys()]).toEqual(['tenant:x', 'tenant:y', 'tenant:z']);
    expect(view.of('gate').size).toBe(0);
  });

  it('and has the same revision again after an outage is read anew', async () => {
    const { clock, other, view, turn } = await takeOver();
    await updateControl(other, gate('a', 2));
    await updateControl(other, gate('b', 2));
    await engage(other, 'all');
    await turn({ outageMs: 3_000 });
    await clock.advance(1_000);
    expect(view.isFresh()).toBe(true);
    expect(view.get('kill', 'all')).toBeDefined();
    expect(view.get('gate', 'a')?.document.untilMs).toBe(START_MS + 2);
    expect(view.get('gate', 'c')).toBeUndefined();
  });
});
