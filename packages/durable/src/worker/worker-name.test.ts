import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

test('of two workers with one name none takes jobs from the other, also after a claim without an answer', async () => {
  let release = () => {};
  const clock = virtualClock({ startMs: START_MS });
  const inner = memoryStore({ clock });
  const store = faultyStore(inner);
  const handlers = { run: () => new Promise<void>((resolve) => (release = resolve)) };
  const one = workBench(handlers, { store: inner, worker: 'mail' }, clock);
  await one.jobs.start();
  const { id } = await one.jobs.enqueue('run', null);
  await clock.advance(0);
  const { token } = await one.look(id);
  const two = workBench({ run: () => 'not theirs' }, { store, worker: 'mail' }, clock);
  store.fault = { calls: ['apply'], when: 'after' };
  await two.jobs.start();
  await clock.advance(10);
  store.fault = undefined;
  await clock.advance(1_000);
  expect(store.calls.get('leasesOf')).toBeGreaterThan(0);
  expect(await one.look(id)).toMatchObject({ state: 'leased', token });
  release();
  await clock.advance(10);
  expect(await one.look(id)).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
});

test('a worker that is started again has another name, and begins with the same', async () => {
  const { jobs, clock, look, stop } = workBench({ run: () => 'done' }, { worker: 'mail' });
  const names: (string | undefined)[] = [];
  for (let start = 0; start < 2; start += 1) {
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    names.push((await look(id)).attempts.kept[0]?.worker);
    await stop();
  }
  expect(names.every((name) => name?.startsWith('mail-'))).toBe(true);
  expect(new Set(names).size).toBe(2);
});
