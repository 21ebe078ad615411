import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { verifyAudit } from '@redrive/durable/audit';
import { schedules } from '@redrive/durable/control';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';

let place: Scratch;
let children: ChildProcess[] = [];

beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  place.remove();
});

function workerThat(role: 'works' | 'dies'): ChildProcess {
  const file = join(import.meta.dirname, 'testing/schedule-process.ts');
  const child = fork(file, [place.path, role], { stdio: 'inherit', execArgv: [] });
  children.push(child);
  return child;
}

async function jobIds(): Promise<readonly string[]> {
  const store = await openMade(place.path);
  const { jobs } = await store.jobs({}, { limit: 1_000 });
  await store.close();
  return jobs.map(({ id }) => id).sort();
}

it('killed between enqueue and cursor write, restarted, several processes, killed again: one job per tick', async () => {
  const [, signal] = await once(workerThat('dies'), 'exit');
  expect(signal).toBe('SIGKILL');
  const left = await jobIds();
  expect(left).toHaveLength(1);

  const ran: string[] = [];
  const several = [workerThat('works'), workerThat('works'), workerThat('works')];
  const until = async (count: number) => {
    const goal = ran.length + count;
    const messages = several.map((child) => on(child, 'message'));
    await Promise.race(
      messages.map(async (each) => {
        for await (const [id] of each) if (ran.push(String(id)) >= goal) return;
      }),
    );
    for (const each of messages) await each.return?.();
  };
  await until(4);
  several.shift()?.kill('SIGKILL');
  await until(3);
  several.shift()?.kill('SIGKILL');
  await until(3);

  const store = await openMade(place.path);
  const [beat] = (await schedules(store)).schedules;
  const ids = (await store.jobs({}, { limit: 1_000 })).jobs.map(({ id }) => id);
  expect((await verifyAudit(await store.readAudit())).problems).toEqual([]);
  await store.close();
  // The tick of the killed process has its one job, and no tick has two: an id is one job, and every id is on the grid.
  expect(ids).toContain(left[0]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^beat@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(beat?.totals.skipped).toBe(0);
  // The tick of a process that died before its write may count as missed, if a later one is due already.
  const { enqueued = 0, missed = 0 } = beat?.totals ?? {};
  expect(enqueued).toBeLessThanOrEqual(ids.length);
  expect(enqueued + missed).toBeGreaterThanOrEqual(ids.length);
}, 60_000);
