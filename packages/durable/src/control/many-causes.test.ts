import type { Clock } from '@redrive/core';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { Notice } from '../worker/notice.ts';
import { StoreContact, StoreTime } from '../worker/store-contact.ts';
import { GATE_KEPT_MS } from './closed-gates.ts';
import { ControlView } from './control-view.ts';
import { AllOutcomes } from './dependency-outcomes.ts';
import { Releaser, type ReleaserParts } from './releaser.ts';
import { gateKey } from './rules/documents.ts';

/** A releaser alone. */
async function releaserOn(
  store: FullStore,
  clock: VirtualClock,
  with_: Partial<ReleaserParts> = {},
) {
  const notices: Notice[] = [];
  const notify = (notice: Notice) => void notices.push(notice);
  const time = new StoreTime(clock);
  const common = { store, clock, time, notify };
  const view = new ControlView({ ...common, isNeeded: () => true, onFresh: () => {} });
  const contact = new StoreContact(clock, 'w1', notify, () => {});
  const releaser = new Releaser({
    ...{ ...common, view, contact, actor: { name: 'w1' }, sweepMs: 5_000 },
    ...{ outcomes: new AllOutcomes(clock), isFull: () => false },
    ...with_,
  });
  onTestFinished(() => {
    releaser.close();
    view.close();
  });
  view.start();
  releaser.start();
  await clock.advance(10);
  return { view, releaser, notices };
}

it('a change is a turn for hundreds of causes, and one timer', async () => {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  let timers = 0;
  const counted: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (delayMs, run) => {
      timers += 1;
      return clock.setTimer(delayMs, run);
    },
  };
  const { view, releaser } = await releaserOn(store, clock, { clock: counted });
  for (let n = 0; n < 400; n += 1) releaser.parked(`kill:tenant:${n}`);
  timers = 0;
  const writes = [1, 2, 3].map((n) =>
    view.update({ of: 'park', key: `gate:${n}`, next: () => ({ sinceMs: START_MS }) }),
  );
  expect(timers).toBe(1);
  await Promise.all(writes);
});

it('a cause that cannot be worked with does not hold up the others', async () => {
  const clock = virtualClock({ startMs: START_MS });
  const store = faultyStore(memoryStore({ clock }));
  const real = new AllOutcomes(clock);
  const outcomes = {
    of(dependency: string | undefined) {
      if (dependency === 'bad') throw new Error('no');
      return real.of(dependency);
    },
  } as AllOutcomes;
  const { releaser, notices } = await releaserOn(store, clock, { outcomes });
  const released: string[] = [];
  const { apply } = store;
  store.apply = ((commands: Parameters<typeof apply>[0]) => {
    for (const command of commands) if (command.kind === 'release') released.push(command.cause);
    return apply(commands);
  }) as typeof apply;
  releaser.parked('breaker:bad');
  releaser.parked('breaker:good');
  await clock.advance(1_000);
  expect(notices).toMatchObject([{ kind: 'store_error' }]);
  expect(released).toEqual(['breaker:good']);
  releaser.parked('breaker:better');
  await clock.advance(1_000);
  expect(released).toEqual(['breaker:good', 'breaker:better']);
});

it('gates that have passed go fifty at a time', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  for (let n = 0; n < 120; n += 1) {
    const gate = { dependency: 'api', credential: '', tenant: `t${n}` };
    // Passed by the first sweep, whatever the spread of the worker's name is.
    const times = { untilMs: START_MS, sinceMs: START_MS, cut: false };
    const document = JSON.stringify({ ...gate, ...times });
    await store.apply([{ kind: 'control', of: 'gate', key: gateKey(gate), expect: 0, document }]);
  }
  const { jobs } = workBench({ call: { dependency: 'api', run: () => {} } }, { store }, clock);
  await jobs.start();
  await clock.advance(GATE_KEPT_MS - 1_000);
  const before = store.calls.get('apply') ?? 0;
  expect((await store.controls()).all).toHaveLength(120);
  await clock.advance(20_000);
  expect((await store.controls()).all).toEqual([]);
  expect((store.calls.get('apply') ?? 0) - before).toBeLessThan(30);
});
