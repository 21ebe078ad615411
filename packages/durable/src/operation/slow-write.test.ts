import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import { carryOutOperation } from './carry-out-operation.ts';
import { submitOperation } from './submit-operation.ts';

const EVE = { name: 'eve' };

test('items of an undecided ramp go a second after they were written down, however long that took', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const jobs = jobsOn(store, { mail: () => {} }, { clock });
  await jobs.enqueueMany('mail', [1, 2, 3], { deadline: new Date(clock.now() + 1) });
  await clock.advance(1);
  await store.apply([{ kind: 'tick', limit: 10, actor: EVE }]);
  await clock.advance(1);
  const target = { filter: { handler: 'mail' }, limit: 10 };
  await submitOperation(store, { id: 'op', act: 'requeue', target, actor: EVE });
  const { apply, stepOperation } = store;
  let writtenAtMs: number | undefined;
  let actedAtMs: number | undefined;
  store.apply = (async (commands: Parameters<typeof apply>[0]) => {
    const writes = commands.some(
      (command) => command.kind === 'control' && command.document?.includes('"underWay":[{'),
    );
    if (writes && writtenAtMs === undefined) {
      await new Promise<void>((resolve) => void clock.setTimer(2_000, resolve));
      writtenAtMs = clock.now();
    }
    return apply(commands);
  }) as typeof apply;
  store.stepOperation = (step) => {
    actedAtMs ??= clock.now();
    return stepOperation(step);
  };
  const controller = new AbortController();
  const over = carryOutOperation(store, 'op', { clock, signal: controller.signal });
  await clock.advance(10_000);
  controller.abort();
  await clock.advance(1_000);
  await over;
  expect(writtenAtMs).toBe(START_MS + 2_002);
  expect(actedAtMs).toBeGreaterThan((writtenAtMs ?? Infinity) + 1_000);
});
