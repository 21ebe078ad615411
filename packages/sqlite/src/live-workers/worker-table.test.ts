import type { WorkerReport } from '@redrive/durable/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreWith } from '../open-store.ts';
import { enqueueOf } from '../testing/commands.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const REPORT: WorkerReport = {
  name: 'w1',
  host: 'web-1',
  pid: 1,
  version: '0.1.0',
  handlers: ['mail'],
  concurrency: 10,
  running: 0,
  state: 'working',
};

it('a report goes into the transaction of what arrives with it, and makes none of its own', async () => {
  const commits: number[] = [];
  const store = await openStoreWith(
    place.path,
    {},
    {
      audit: true,
      start: (options) => {
        const caller = withoutThreads(options);
        return {
          close: () => caller.close(),
          call: (name, input) => {
            // What a commit is given.
            if (name === 'commit') commits.push((input as { commands: unknown[] }).commands.length);
            return caller.call(name, input);
          },
        };
      },
    },
  );
  const first = store.apply([enqueueOf('first')]);
  await Promise.all([
    first,
    store.apply([enqueueOf('second')]),
    store.reportWorker(REPORT),
    store.apply([enqueueOf('third')]),
  ]);
  expect(commits).toEqual([4]);
  await store.close();
});
