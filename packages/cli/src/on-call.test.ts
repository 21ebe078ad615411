import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryStore } from '@redrive/durable';
import { expect, onTestFinished, test } from 'vitest';
import { openBreaker, parkJobs } from './testing/control-states.ts';
import { type RunOptions, runMain } from './testing/run-main.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';
import { runningWorker } from './testing/worker-place.ts';

// The how-to for whoever is on call, as it is read: every command of it, in its order, on one store.
const page = readFileSync(
  new URL('../../../docs/how-to/stop-and-come-back.md', import.meta.url),
  'utf8',
);
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

const CONFIG = `version: "1.1.0"
policies:
  once: { name: Once, max_attempts: 1, backoff_type: fixed, base_delay: 0.01, max_delay: 1, jitter_type: none }
jobs:
  handlers:
    import: { command: ["./import.sh"], policy: once, idempotent: true }
`;
const LETTERS = 12;

/** As a shell takes a line apart, as far as the page goes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/([\w-]+=)?(?:'([^']*)'|(\S+))/g)].map(
    ([, name = '', quoted, plain]) => name + (quoted ?? plain ?? ''),
  );
}

function setUp() {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  writeFileSync(join(directory, 'import.sh'), '#!/bin/sh\ntest -e mended\n');
  chmodSync(join(directory, 'import.sh'), 0o755);
  const env = { PATH: process.env.PATH };
  const store = memoryStore();
  const start = (args: readonly string[], options: RunOptions = {}) =>
    runMain(['start', ...args], { directory, env, store, ...options });
  const redrive = (args: string, stdin = '') =>
    runMain(wordsOf(args), { directory, env, store, stdin });
  /** Runs a block as it stands, and answers what each of its commands printed. */
  const run = async (block: string | undefined): Promise<string[]> => {
    const lines = (block ?? expect.fail('the page has fewer blocks'))
      .replaceAll('\\\n', ' ')
      .trim()
      .split('\n');
    const printed: string[] = [];
    for (const line of lines) {
      expect(line).toMatch(/^redrive /);
      const { exitCode, stdout, stderr } = await redrive(line.slice('redrive '.length));
      expect(exitCode, line + stdout + stderr).toBe(0);
      printed.push(stdout);
    }
    return printed;
  };
  return { directory, store, start, redrive, run };
}

test('the how-to for on-call does what it says', { timeout: 120_000 }, async () => {
  const { directory, store, start, redrive, run } = setUp();
  const [stop, less, pause, release, look, force, hold, requeue, steer, after, ...rest] = blocks;
  expect(rest).toEqual([]);
  const payloads = [...Array(LETTERS).keys()].map((n) => `{"n":${n}}\n`).join('');
  await redrive('jobs enqueue import --from -', payloads);
  expect((await start(['--until-idle'])).exitCode).toBe(5);

  const [, engaged] = await run(stop);
  expect(engaged).toMatch(/^all +(now|\d+ s ago) +cli:/m);
  expect(engaged).toContain('INC-7: wrong invoices');
  await run(less);
  expect(JSON.parse((await redrive('kill list --json')).stdout).engaged).toHaveLength(4);
  await run(pause);
  const released = await run(release);
  expect(released.at(0)).toContain('beginning with 20/s');
  expect(released.at(-1)).toContain('kill:all');
  expect(JSON.parse((await redrive('kill list --json')).stdout).engaged).toEqual([]);

  await openBreaker(store, 'ledger');
  await parkJobs(store, 'breaker:ledger', 3);
  const [breakers, parks, gates] = await run(look);
  expect(breakers).toMatch(/^ledger +open /m);
  expect(parks).toMatch(/^breaker:ledger .* 3 .*the breaker of ledger to close$/m);
  expect(gates).toContain('No gate is closed.');
  const forced = await run(force);
  expect(forced[1]).toMatch(/^bank {2}forced open\n/);
  expect(forced.at(-1)).toMatch(/^bank {2}closed\n/);
  const held = await run(hold);
  expect(held[1]).toContain('1 job under breaker:ledger is ready. There are more.');
  expect(held.at(-1)).toContain('are no longer held');

  writeFileSync(join(directory, 'mended'), '');
  const [groups, plan, detached] = await run(requeue);
  expect(groups).toContain(`${LETTERS}  CommandError`);
  expect(plan).toContain(`${LETTERS} dead letters would be requeued.`);
  expect(detached).toMatch(/^incident-7 {2}requeue running\n/);
  runningWorker(onTestFinished, { start }, []);
  const steered = await run(steer);
  expect(steered[0]).toMatch(/^incident-7 +requeue +running/m);
  expect(steered[1]).toContain('requeue paused');
  expect(steered[3]).toContain('200/s at most');
  expect(steered.at(-1)).toMatch(/^incident-7 {2}requeue finished\n/);
  const counts = JSON.parse((await redrive('status --json')).stdout);
  expect(counts.states).toMatchObject({ dead: 0, succeeded: LETTERS });

  const [, records] = await run(after);
  expect(records).toMatch(/control +kill:all by cli:\S+ "INC-7: fixed",\s+release\s+\{"pace"/);
  expect(records).toContain('control  operation:incident-7');
});
