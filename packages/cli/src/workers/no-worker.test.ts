import type { FullStore } from '@redrive/durable';
import { engageKill, releasePark, submitOperation } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { closeGate, openBreaker, parkJobs, withWorker } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

// Nothing says "being released, 1/s now" or "next probe now" when no worker can do it.

const actor = { name: 'eve' };
/** What nobody does where no worker is alive. */
const PROMISES = /being released|in 30 s|\bdue\b|takes it up|growing pace[^,]*\.\n|\/s now/;

async function setUp() {
  const { store, clock } = jobStore(virtualClock(START));
  await openBreaker(store, 'bank');
  await parkJobs(store, 'breaker:bank', 3);
  await parkJobs(store, 'breaker:gone', 12);
  await releasePark(store, { cause: 'breaker:gone', pace: { perSecond: 1 }, actor });
  await closeGate(store);
  await parkJobs(store, 'gate:["search","",""]', 2);
  await engageKill(store, { scope: 'queue', name: 'slow', actor });
  await submitOperation(store, { id: 'incident-7', act: 'requeue', target: { ids: ['2'] }, actor });
  const run = (on: FullStore, line: string) => runMain(line.split(' '), { store: on, clock });
  return { store, clock, run };
}

test.each([
  ['park list', /breaker:gone .* a worker: none that has their handler is alive/],
  ['park list', /breaker:bank .* none: no worker /],
  ['breakers list', /bank +open .* none: no worker /],
  ['breakers show bank', /next probe +none: no worker\n/],
  ['breakers half-open bank', /next probe +none: no worker\n/],
  ['gates release search --dry-run', /2 jobs are released .*, once a\sworker that has/],
  ['park release breaker:bank --pace 5/s --dry-run', /beginning with\s5\/s, once a worker/],
  ['kill release queue slow --pace 5/s --dry-run', /beginning with\s5\/s, once a worker/],
  ['ops list', /incident-7 +requeue +running: no worker /],
  ['ops show incident-7', /runs in +no process: it waits for a worker, and none is alive/],
  ['status', /no live\s+worker\s+can\s+probe/],
])('%s, without a worker: %s', async (line, expected) => {
  const { store, run } = await setUp();
  const { stdout, exitCode } = await run(store, line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(expected) });
  expect(stdout).not.toMatch(PROMISES);
  expect((await run(withWorker(store), line)).stdout).not.toMatch(expected);
});

test.each(['park list', 'breakers list'])(
  '%s --json has no probe and no pace then',
  async (line) => {
    const { store, run } = await setUp();
    const text = (await run(store, `${line} --json`)).stdout;
    expect(text).toContain('"next_probe_at": null');
    expect(text).not.toMatch(/"next_probe_at": "|"pace": \d/);
    expect((await run(withWorker(store), `${line} --json`)).stdout).toMatch(
      /"next_probe_at": "2027/,
    );
  },
);

test('a worker that does not have the handler of the parked jobs brings none of them back', async () => {
  const { store, run } = await setUp();
  const facts = { host: 'web-1', pid: 1, version: '0.1.0', concurrency: 10, running: 0 };
  await store.reportWorker({ name: 'a', ...facts, handlers: ['mail'], state: 'working' });
  expect((await run(store, 'park list')).stdout).not.toMatch(PROMISES);
  await store.reportWorker({ name: 'b', ...facts, handlers: ['parked'], state: 'working' });
  expect((await run(store, 'park list')).stdout).toMatch(/being released, 1\/s now/);
});
