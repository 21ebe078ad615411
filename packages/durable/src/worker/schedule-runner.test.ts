import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { engageKill } from '../control/kill-switches.ts';
import { releaseKill } from '../control/release-kill.ts';
import { documentOf, updateControl } from '../control/update-control.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { ScheduleDocument } from '../schedule/schedule.ts';
import type { FullStore } from '../store/full-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const MINUTE = 60_000;
const actor = { name: 'eve' };

async function stateOf(store: FullStore, name = 'report'): Promise<ScheduleDocument> {
  const { all } = await store.controls();
  const found = all.find(({ kind, key }) => kind === 'schedule' && key === name);
  const document = found && documentOf<'schedule'>(found);
  if (document === undefined) throw new Error(`There is no document of ${name}`);
  return document;
}

async function ids(store: FullStore): Promise<string[]> {
  const { jobs } = await store.jobs({}, { limit: 1_000 });
  return jobs.map(({ id }) => id).sort();
}

const at = (ms: number) => new Date(START_MS + ms).toISOString().replace('.000Z', 'Z');

test('each tick of the grid has one job, whose id is schedule and tick', async () => {
  const seen: unknown[] = [];
  const { jobs, clock, store } = workBench({
    report: async (kind: string, context) => {
      seen.push([kind, context.jobId, context.headers['redrive-tick']]);
    },
  });
  await clock.advance(7_000);
  jobs.schedule('report', { handler: 'report', payload: 'sales', everyMs: MINUTE });
  await jobs.start();
  await clock.advance(3 * MINUTE);
  expect(seen).toEqual(
    [1, 2, 3].map((n) => [
      'sales',
      `report@${at(n * MINUTE)}`,
      new Date(START_MS + n * MINUTE).toISOString(),
    ]),
  );
  expect(await stateOf(store)).toMatchObject({
    cursorMs: START_MS + 3 * MINUTE,
    totals: { enqueued: 3, skipped: 0, missed: 0 },
  });
});

test('several processes, each with the same schedule: one job per tick', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const benches = ['a', 'b', 'c'].map((worker) =>
    workBench({ report: () => {} }, { store, worker }, clock),
  );
  for (const { jobs } of benches) {
    jobs.schedule('report', { handler: 'report', everyMs: MINUTE });
    await jobs.start();
  }
  await clock.advance(5 * MINUTE);
  expect(await ids(store)).toEqual([1, 2, 3, 4, 5].map((n) => `report@${at(n * MINUTE)}`));
  expect((await stateOf(store)).totals).toEqual({ enqueued: 5, skipped: 0, missed: 0 });
});

test('the process that held a schedule is gone: another one enqueues its next tick two seconds late', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const [a, b] = ['a', 'b'].map((worker) =>
    workBench({ report: () => {} }, { store, worker }, clock),
  );
  for (const bench of [a, b]) {
    bench?.jobs.schedule('report', { handler: 'report', everyMs: MINUTE });
    await bench?.jobs.start();
  }
  await clock.advance(MINUTE);
  const { holder } = await stateOf(store);
  const [gone] = [a, b].filter((_, n) => holder.startsWith('ab'[n] ?? ''));
  await gone?.stop();
  await clock.advance(MINUTE - (clock.now() - START_MS - MINUTE) + 1_500);
  expect(await ids(store)).toEqual([`report@${at(MINUTE)}`]);
  await clock.advance(1_000);
  expect(await ids(store)).toEqual([1, 2].map((n) => `report@${at(n * MINUTE)}`));
});

test('overlap skip: a tick enqueues nothing while the job of an earlier one is unfinished', async () => {
  let end = () => {};
  const { jobs, clock, store, noticesOf } = workBench({
    report: () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  });
  jobs.schedule('report', { handler: 'report', everyMs: MINUTE });
  await jobs.start();
  await clock.advance(3 * MINUTE);
  expect(await ids(store)).toEqual([`report@${at(MINUTE)}`]);
  expect((await stateOf(store)).last).toEqual({
    tickMs: START_MS + 3 * MINUTE,
    result: 'skipped',
    jobId: `report@${at(MINUTE)}`,
  });
  expect(noticesOf('tick_skipped')).toHaveLength(2);
  end();
  await clock.advance(MINUTE);
  expect(await ids(store)).toEqual([1, 4].map((n) => `report@${at(n * MINUTE)}`));
  expect((await stateOf(store)).totals).toEqual({ enqueued: 2, skipped: 2, missed: 0 });
  end();
});

test('overlap queue: the job of a tick waits until the earlier one is finished', async () => {
  const ends: (() => void)[] = [];
  const { jobs, clock, store, look } = workBench({
    report: () => new Promise<void>((resolve) => ends.push(resolve)),
  });
  jobs.schedule('report', { handler: 'report', everyMs: MINUTE, overlap: 'queue' });
  await jobs.start();
  await clock.advance(2 * MINUTE);
  const states = async () =>
    Promise.all((await ids(store)).map(async (id) => (await look(id)).state));
  expect(await states()).toEqual(['leased', 'ready']);
  ends.shift()?.();
  await clock.advance(1_000);
  expect(await states()).toEqual(['succeeded', 'leased']);
  ends.shift()?.();
});

test.each([
  ['last', [1, 61], { enqueued: 2, skipped: 0, missed: 59 }],
  ['none', [1], { enqueued: 1, skipped: 0, missed: 60 }],
] as const)('missed %s: ticks while no worker ran', async (missed, expected, totals) => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const everyMs = 10 * MINUTE;
  const first = workBench({ report: () => {} }, { store }, clock);
  first.jobs.schedule('report', { handler: 'report', everyMs, missed });
  await first.jobs.start();
  await clock.advance(everyMs);
  await first.stop();
  await clock.advance(60 * everyMs + 5 * MINUTE - (clock.now() - START_MS - everyMs));
  const second = workBench({ report: () => {} }, { store }, clock);
  second.jobs.schedule('report', { handler: 'report', everyMs, missed });
  await second.jobs.start();
  await clock.advance(3_000);
  expect(await ids(store)).toEqual(expected.map((n) => `report@${at(n * everyMs)}`).sort());
  expect((await stateOf(store)).totals).toEqual(totals);
  expect(second.noticesOf('ticks_missed')).toMatchObject([{ missed: totals.missed }]);
});

test('paused by the kill switch: nothing is enqueued, and the last missed tick comes after it', async () => {
  const { jobs, clock, store } = workBench({ report: () => {} });
  jobs.schedule('report', { handler: 'report', everyMs: MINUTE, queue: 'slow' });
  await jobs.start();
  await clock.advance(MINUTE);
  await engageKill(store, { scope: 'queue', name: 'slow', actor });
  const { revision } = await store.controls();
  await clock.advance(5 * MINUTE);
  expect(await ids(store)).toEqual([`report@${at(MINUTE)}`]);
  // Nothing is written meanwhile either.
  expect((await store.controls()).revision).toBe(revision);
  await releaseKill(store, { scope: 'queue', name: 'slow', actor });
  await clock.advance(2_000);
  expect(await ids(store)).toEqual([1, 6].map((n) => `report@${at(n * MINUTE)}`));
  expect((await stateOf(store)).totals).toEqual({ enqueued: 2, skipped: 0, missed: 4 });
});

test('all schedules together write at most once a second', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const writes: number[] = [];
  const counted: FullStore = {
    ...store,
    apply: (commands) => {
      if (commands.some((command) => command.kind === 'control' && command.of === 'schedule')) {
        writes.push(clock.now());
      }
      return store.apply(commands);
    },
  };
  const { jobs } = workBench({ report: () => {} }, { store: counted, concurrency: 100 }, clock);
  for (let n = 0; n < 50; n += 1) {
    jobs.schedule(`s${n}`, { handler: 'report', everyMs: 1_000 + 37 * n });
  }
  await jobs.start();
  await clock.advance(60_000);
  const seconds = writes.map((ms) => Math.floor(ms / 1_000));
  expect(new Set(seconds).size).toBe(seconds.length);
  expect(seconds.length).toBeGreaterThan(55);
  // No tick is lost by it: the one of every second has come every second.
  expect((await stateOf(store, 's0')).totals).toEqual({ enqueued: 60, skipped: 0, missed: 0 });
});

test('a changed definition counts as soon as a process with it starts, and its past ticks are not made up', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const old = workBench({ report: () => {} }, { store, worker: 'old' }, clock);
  old.jobs.schedule('report', { handler: 'report', cron: '0 3 * * *' });
  await old.jobs.start();
  await clock.advance(30 * MINUTE);
  const changed = workBench({ report: () => {} }, { store, worker: 'new' }, clock);
  changed.jobs.schedule('report', { handler: 'report', cron: '*/20 * * * *' });
  await changed.jobs.start();
  await clock.advance(15 * MINUTE);
  // The process with the old definition is still there, and leaves it alone.
  expect(await ids(store)).toEqual([`report@${at(40 * MINUTE)}`]);
  expect(await stateOf(store)).toMatchObject({ plan: { cron: '*/20 * * * *' } });
});

test('counts and a position that the handler keeps survive the ticks', async () => {
  const { jobs, clock, store } = workBench({
    report: async () => {
      await updateControl(store, {
        of: 'schedule',
        key: 'report',
        next: (current) =>
          current && {
            ...current,
            totals: { ...current.totals, swept: (current.totals.swept ?? 0) + 10 },
            position: 'letter-7',
          },
      });
    },
  });
  jobs.schedule('report', { handler: 'report', everyMs: MINUTE });
  await jobs.start();
  await clock.advance(3 * MINUTE + 1_000);
  expect(await stateOf(store)).toMatchObject({
    position: 'letter-7',
    totals: { enqueued: 3, swept: 30 },
  });
});

test('a schedule that cannot be one is refused with every problem', () => {
  const { jobs } = workBench({ report: (_: string) => {} });
  const wrong = { handler: 'report', overlap: 'never', cron: '61 * * * *', everyMs: 10 } as never;
  expect(() => jobs.schedule('report', wrong)).toThrow(/overlap.*everyMs.*cron/s);
  expect(() => jobs.schedule('x', { handler: 'rport' as 'report', everyMs: MINUTE })).toThrow(
    'No handler is called rport',
  );
  const tickless = (cron: string, timeZone = 'UTC') =>
    jobs.schedule('x', { handler: 'report', cron, timeZone });
  expect(() => tickless('0 0 31 2 *')).toThrow('it never ticks');
  expect(() => tickless('0 3 * * *', 'Mars/Olympus')).toThrow(
    'timeZone must be a name such as Europe/Berlin, and Mars/Olympus is none.',
  );
  const large = { handler: 'report', everyMs: MINUTE, payload: 'x'.repeat(20_000) } as const;
  expect(() => jobs.schedule('x', large)).toThrow('16384');
});

test('three processes: all schedules together are written at most once a second, also after a holder has died', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const { store, perSecond } = countedWrites(memoryStore({ clock }), clock);
  const names = ['s1', 's2', 's3', 's4'];
  const start = async (worker: string, declared: readonly string[]) => {
    const bench = workBench({ report: () => {} }, { store, worker }, clock);
    for (const name of declared)
      bench.jobs.schedule(name, { handler: 'report', everyMs: 1_000, overlap: 'queue' });
    await bench.jobs.start();
    return { worker: `${worker}-`, stop: bench.stop };
  };
  // A new version knows two schedules more, and its first process begins to hold them.
  const benches = [await start('b', names.slice(0, 2))];
  await clock.advance(1_500);
  benches.push(await start('c', names));
  await clock.advance(1_500);
  benches.push(await start('a', names));
  await clock.advance(10_000);
  // `b` and `c` held two each.
  const holders = async () =>
    new Set(await Promise.all(names.map(async (name) => (await stateOf(store, name)).holder)));
  expect([...(await holders())]).toEqual([expect.stringMatching(/^[abc]-/)]);
  await clock.advance(20_000);
  expect(perSecond(10)).toEqual(Array(10).fill(1));
  const [holder = ''] = await holders();
  for (const bench of benches) if (holder.startsWith(bench.worker)) await bench.stop();
  await clock.advance(30_000);
  expect([...(await holders())]).toEqual([expect.not.stringContaining(holder)]);
  expect(perSecond(10)).toEqual(Array(10).fill(1));
});

/** The store, and how many of the last whole seconds had how many accepted writes of schedules. */
function countedWrites(store: FullStore, clock: VirtualClock) {
  const writes: number[] = [];
  let calls = 0;
  const apply = async (commands: Parameters<FullStore['apply']>[0]) => {
    // Processes wake at the same millisecond, and are not equally fast.
    calls += 1;
    const afterMs = 1 + ((calls * 7) % 5);
    await new Promise<void>((resolve) => void clock.setTimer(afterMs, resolve));
    const results = await store.apply(commands);
    const isWrite = commands.some(
      (command, n) => command.kind === 'control' && command.of === 'schedule' && results[n]?.ok,
    );
    if (isWrite) writes.push(Math.floor(clock.now() / 1_000));
    return results;
  };
  const perSecond = (seconds: number) => {
    const last = Math.floor(clock.now() / 1_000) - 1;
    const each = Array.from({ length: seconds }, (_, n) => last - n);
    return each.map((second) => writes.filter((at) => at === second).length);
  };
  // The counted function has the same type for each list of commands.
  return { store: { ...store, apply: apply as FullStore['apply'] }, perSecond };
}
