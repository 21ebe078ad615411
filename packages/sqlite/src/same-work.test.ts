import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

it('three processes enqueue one id and one unique key: exactly one job of each', async () => {
  const store = await openMade(place.path, { timeoutMs: 30_000 });
  const file = join(import.meta.dirname, 'testing/same-work-process.ts');
  children = [1, 2, 3].map(() => fork(file, [place.path], { stdio: 'inherit', execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  const answers = Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  // Each child sends a list of outcomes.
  const outcomes = (await answers).flatMap(([list]) => list as string[]);
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  expect([count('created'), count('existing'), outcomes.length]).toEqual([2, 238, 240]);
  const { jobs } = await store.jobs({}, { limit: 10 });
  expect(jobs).toHaveLength(2);
  await store.close();
});
