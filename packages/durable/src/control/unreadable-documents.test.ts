import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { retryAfter } from '../handler/verdict.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { StoreTime } from '../worker/store-contact.ts';
import type { ControlKind } from './control-store.ts';
import { ControlView } from './control-view.ts';
import { gates } from './gates.ts';
import { killSwitches } from './kill-switches.ts';

async function write(store: FullStore, of: ControlKind, key: string, document: object) {
  await store.apply([{ kind: 'control', of, key, expect: 0, document: JSON.stringify(document) }]);
}

const RAMPED = {
  ...{ state: 'running', sinceMs: 1, by: 'eve', underWay: [], held: [], again: [] },
  ...{ sentAt: 0, succeeded: 0, cameBack: 0, ramp: { plan: {} } },
};

describe('documents that cannot be read', () => {
  it('keep no process from working, nor from writing others', async () => {
    const { clock, store, jobs, look, notices } = workBench({
      call: { dependency: 'api', run: () => retryAfter(5_000) },
    });
    await write(store, 'operation', 'paused', { state: 'paused' });
    await write(store, 'operation', 'ramped', RAMPED);
    await write(store, 'breaker', 'api', { state: 'open' });
    await write(store, 'gate', 'g', { untilMs: 'soon' });
    await write(store, 'park', 'breaker:api', { sinceMs: 1, pace: {} });
    await jobs.start();
    await clock.advance(100);
    const { id } = await jobs.enqueue('call', null);
    await clock.advance(1_000);
    expect(await look(id)).toMatchObject({ state: 'scheduled', reason: 'rate_limited' });
    expect(await gates(store)).toMatchObject([{ dependency: 'api', untilMs: START_MS + 5_100 }]);
    expect(notices.filter(({ kind }) => kind !== 'started')).toMatchObject([
      { kind: 'control_seen', control: 'gate' },
    ]);
  });

  it('are written over', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    await write(store, 'park', 'breaker:api', { sinceMs: 'long ago' });
    const view = viewOf(store, clock);
    await clock.advance(10);
    const written = await view.update({
      of: 'park',
      key: 'breaker:api',
      next: (park) => park ?? { sinceMs: START_MS },
    });
    expect(written).toMatchObject({ before: undefined, changed: true });
    expect(view.get('park', 'breaker:api')?.document).toEqual({ sinceMs: START_MS });
    view.close();
  });

  it('stop work all the same, if they are kill switches', async () => {
    const { clock, store, jobs, look } = workBench({ call: () => {} });
    await write(store, 'kill', 'all', { mode: 7 });
    await jobs.start();
    const { id } = await jobs.enqueue('call', null);
    await clock.advance(5_000);
    expect((await look(id)).state).toBe('ready');
    expect(await killSwitches(store)).toMatchObject([{ scope: 'all', by: 'unknown' }]);
  });
});

describe('somebody who listens to changes and throws', () => {
  it('keeps nobody else from hearing, and no write from being sent', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = memoryStore({ clock });
    const errors: unknown[] = [];
    const view = viewOf(store, clock, (error) => errors.push(error));
    await clock.advance(10);
    let heard = 0;
    view.onChange(() => {
      throw new Error('no');
    });
    view.onChange(() => {
      heard += 1;
    });
    await view.update({ of: 'park', key: 'x', next: () => ({ sinceMs: 1 }) });
    await clock.advance(1_000);
    expect((await store.controls()).all).toMatchObject([{ kind: 'park', key: 'x' }]);
    expect(heard).toBeGreaterThan(1);
    // Once a minute.
    expect(errors).toHaveLength(1);
    await clock.advance(60_000);
    await view.update({ of: 'park', key: 'y', next: () => ({ sinceMs: 1 }) });
    expect(errors).toHaveLength(2);
    view.close();
  });
});

function viewOf(
  store: FullStore,
  clock: ReturnType<typeof virtualClock>,
  onError: (error: unknown) => void = () => {},
): ControlView {
  const view = new ControlView({
    ...{ store, clock, time: new StoreTime(clock), onFresh: () => {}, isNeeded: () => true },
    notify: (notice) => {
      if (notice.kind === 'store_error') onError(notice.error);
    },
  });
  view.start();
  return view;
}
