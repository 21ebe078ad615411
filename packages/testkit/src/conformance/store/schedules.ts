import { deepEqual, equal } from 'node:assert/strict';
import { RedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { pauseWork, resumeWork, runSchedule, schedules } from '@redrive/durable/control';
import { ACTOR } from './commands.ts';
import { makeBench } from './ladder.ts';
import type { FullStoreSuite, FullStoreUnderTest } from './suite.ts';

const MINUTE = 60_000;

/** Schedules of a worker, in virtual time. */
export function scheduleTests({ test }: FullStoreSuite): void {
  test('a tick is one job, and the document knows which one was last', async (subject) => {
    const { store, clock } = subject;
    const bench = startedBench(subject);
    await bench.start();
    await bench.pass(untilNext(clock.now()) + 2 * MINUTE);
    deepEqual((await idsOf(store)).length, 3);
    const [state] = (await schedules(store)).schedules;
    equal(state?.cursorMs, lastTick(clock.now()));
    deepEqual(state?.totals, { enqueued: 3, skipped: 0, missed: 0 });
    await bench.stop();
  });

  test('killed between the enqueue and the write of its cursor: the job of the tick is there exactly once', async (subject) => {
    const { store, clock } = subject;
    const dying = startedBench({ ...subject, store: withoutCursors(store) });
    await dying.start();
    await dying.pass(untilNext(clock.now()) + 500);
    const ids = await idsOf(store);
    equal(ids.length, 1);
    equal((await schedules(store)).schedules[0]?.totals.enqueued, 0);
    await dying.stop();
    const next = startedBench(subject);
    await next.start();
    await next.pass(5_000);
    deepEqual(await idsOf(store), ids);
    const [state] = (await schedules(store)).schedules;
    deepEqual(state?.totals, { enqueued: 1, skipped: 0, missed: 0 });
    await next.stop();
  });

  test('a tick whose job was pruned is not enqueued again: the cursor remembers it', async (subject) => {
    const { store, clock } = subject;
    const first = startedBench(subject);
    await first.start();
    await first.pass(untilNext(clock.now()) + 1_000);
    await first.stop();
    const ages = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    await store.apply([{ kind: 'prune', ...ages, limit: 10, actor: ACTOR }]);
    deepEqual(await idsOf(store), []);
    const second = startedBench(subject);
    await second.start();
    await second.pass(5_000);
    deepEqual(await idsOf(store), []);
    await second.stop();
  });

  test('a pause stops the ticks, not a job that an operator runs', async (subject) => {
    const { store, clock } = subject;
    const bench = startedBench(subject);
    await bench.start();
    const pause = { scope: 'schedule', name: 'report', actor: ACTOR } as const;
    equal((await pauseWork(store, pause)).changed, true);
    equal((await pauseWork(store, pause)).changed, false);
    await bench.pass(untilNext(clock.now()) + 2 * MINUTE);
    deepEqual(await idsOf(store), []);
    equal((await schedules(store)).schedules[0]?.stopped?.by, ACTOR.name);
    const id = await runSchedule(store, { name: 'report', actor: ACTOR, clock });
    await bench.pass(1_000);
    equal((await bench.look(id)).state, 'succeeded');
    equal((await resumeWork(store, pause)).changed, true);
    await bench.pass(3_000);
    equal((await idsOf(store)).length, 2);
    await bench.stop();
  });
}

function startedBench(subject: FullStoreUnderTest) {
  const bench = makeBench(subject, { report: async () => {} });
  bench.jobs.schedule('report', { handler: 'report', everyMs: MINUTE });
  return bench;
}

/** Refuses the writes of cursors, as if the process had died before each of them. */
function withoutCursors(store: FullStore): FullStore {
  return {
    ...store,
    apply: (commands) => {
      const isTick = commands.some(
        (command) => command.kind === 'control' && command.of === 'schedule' && command.expect > 0,
      );
      if (isTick) return Promise.reject(new RedriveError('store_unavailable', 'killed'));
      return store.apply(commands);
    },
  };
}

async function idsOf(store: FullStore): Promise<readonly string[]> {
  return (await store.jobs({}, { limit: 100 })).jobs.map(({ id }) => id);
}

const lastTick = (nowMs: number) => Math.floor(nowMs / MINUTE) * MINUTE;
const untilNext = (nowMs: number) => lastTick(nowMs) + MINUTE - nowMs;
