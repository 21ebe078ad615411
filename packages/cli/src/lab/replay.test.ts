import type { FullStore } from '@redrive/durable';
import { Attempts } from '@redrive/lab';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { START } from '../testing/job-store.ts';
import { outageStore } from '../testing/outage-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const file = (fields: string) =>
  `version: "1.1.0"\npolicies:\n  call: { name: Calls, backoff_type: fixed, jitter_type: none, ${fields} }\n`;

const FILES = {
  'redrive.yaml': file('max_attempts: 3, base_delay: 1, max_delay: 1'),
  'patient.yaml': file('max_attempts: 3, base_delay: 30, max_delay: 30'),
  'hasty.yaml': file('max_attempts: 1, base_delay: 1, max_delay: 1'),
  'more.yaml': file('max_attempts: 5, base_delay: 1, max_delay: 1'),
};

async function setUp(change: (store: FullStore) => FullStore = (store) => store) {
  const clock = virtualClock(START);
  const policy = { id: 'call', backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;
  const { store, ids, dead } = await outageStore(clock, { policy });
  const directory = scratchDirectory(onTestFinished, FILES);
  const run = (args: string, options: RunOptions = {}) =>
    runMain(['lab', 'replay', ...args.split(' ')], {
      store: change(store),
      clock,
      directory,
      ...options,
    });
  const json = async (args: string) => {
    const { stdout, exitCode } = await run(`${args} --json`);
    return { exitCode, ...JSON.parse(stdout) };
  };
  return { run, json, ids, dead };
}

test('every decision is derived again with the recorded answer', async () => {
  const { run } = await setUp();
  const { exitCode, stdout, stderr } = await run('--since 1h');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^240 sessions from /);
  expect(stdout).toMatch(/\n\d{3} decisions derived again, all as recorded\n$/);
});

test('a policy that waits longer gives nobody up; what follows a difference is marked as inferred', async () => {
  const { json, run, dead } = await setUp();
  const replayed = await json('--since 1h --policy call=patient.yaml --limit 1000');
  expect(replayed).toMatchObject({
    exitCode: 0,
    underived: 0,
    policies: [{ id: 'call', other: 'patient.yaml:call' }],
    recorded: { sessions: 240, given_up: dead, unfinished: 0, succeeded: 240 - dead },
    other: { sessions: 240, given_up: 0, succeeded: 240 },
    inferred: { sessions: 80, given_up: 0, succeeded: 80 },
    differing_sessions: 80,
  });
  expect(replayed.differences).toHaveLength(80);
  expect(replayed.differences[0]).toMatchObject({
    attempt: 1,
    recorded: { action: 'retry', reason: 'retryable_error', delay_ms: 1_000 },
    other: { action: 'retry', reason: 'retryable_error', delay_ms: 30_000 },
    course: { attempts: 2, result: 'succeeded', inferred: true },
  });
  const { stdout } = await run('--since 1h --policy call=patient.yaml --limit 1');
  expect(stdout).toContain('80 sessions have a decision that differs.');
  expect(stdout).toMatch(new RegExp(`\\ngiven up +${dead} +0 +0\\n`));
  expect(stdout).toMatch(
    / 1 +retry after 1 s: \S+ +retry after 30 s: \S+ +succeeded after 2 attempts \(inferred\)\n/,
  );
  expect(stdout).toContain('and 79 more: --limit');
});

test('a policy that gives up sooner is worse, and nothing of that is inferred', async () => {
  const { json } = await setUp();
  const replayed = await json('--since 1h --policy call=hasty.yaml');
  expect(replayed).toMatchObject({
    other: { given_up: 80, succeeded: 160, attempts: 240 },
    inferred: { sessions: 0, attempts: 0 },
  });
  expect(replayed.differences).toHaveLength(20);
  expect(replayed.differences[0]).toMatchObject({
    other: { action: 'give-up', reason: 'max_attempts_exceeded' },
    course: { attempts: 1, result: 'given-up', inferred: false },
  });
});

test('a session follows its record up to its first difference', async () => {
  const { json, ids } = await setUp();
  // It began with the outage: its third attempt is the last one.
  const replayed = await json(`--since 1h --policy call=more.yaml --session ${ids[81]}`);
  expect(replayed).toMatchObject({
    decisions: 3,
    recorded: { sessions: 1, attempts: 3, given_up: 1 },
    other: { sessions: 1, attempts: 5, given_up: 1 },
    inferred: { attempts: 2 },
    differences: [{ attempt: 3, recorded: { action: 'give-up' }, other: { action: 'retry' } }],
  });
});

test('a decision that does not follow from its record fails', async () => {
  const changed = (store: FullStore): FullStore => ({
    ...store,
    policy: async (hash) => {
      const known = await store.policy(hash);
      return known && { ...known, policy: { ...known.policy, maxAttempts: 2 } };
    },
  });
  const { run, json } = await setUp(changed);
  const { exitCode, stdout } = await run('--since 1h');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /NOT as recorded\n {2}\S+ attempt 2, .*: recorded .*"retry".*, derived .*"give-up"/,
  );
  const { underived, underived_examples: examples } = await json('--since 1h');
  expect(underived).toBeGreaterThan(70);
  expect(examples).toHaveLength(10);
});

test('wrong questions are refused, each with what to do', async () => {
  const { run } = await setUp();
  expect(await run('--since 1s')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('Give an earlier --since'),
  });
  expect(await run('--since 1h --session nobody')).toMatchObject({ exitCode: 3 });
  expect(await run('--since 1h --policy mail=patient.yaml:call')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('There are sessions of call.'),
  });
  expect(await run('--since 1h --policy patient.yaml')).toMatchObject({ exitCode: 2 });
  expect(await run('--since 1h --policy call=patient.yaml:other')).toMatchObject({ exitCode: 3 });
  expect(await run('--since 1h --policy call=patient.yaml --policy call=hasty.yaml')).toMatchObject(
    {
      exitCode: 2,
      stderr: expect.stringContaining('--policy names call twice'),
    },
  );
});

test('attempts above the limit are left out, which is said and is the exit code for partly done', async () => {
  const { run } = await setUp();
  const { add } = Attempts.prototype;
  const spy = vi.spyOn(Attempts.prototype, 'add').mockImplementation(function (
    this: Attempts,
    one,
  ) {
    if (this.size < 100) add.call(this, one);
    else this.omitted += 1;
  });
  onTestFinished(() => spy.mockRestore());
  expect(await run('--since 1h')).toMatchObject({
    exitCode: 5,
    stdout: expect.stringContaining('all as recorded'),
    stderr: expect.stringMatching(/^\d+ later attempts are left out: give a shorter time/),
  });
});

test('Ctrl-C prints what was read so far, and ends with 130', async () => {
  const { run } = await setUp();
  const stopped = await run('--since 1h', { onSignals: (send) => send('SIGINT') });
  expect(stopped).toMatchObject({
    exitCode: 130,
    stdout: expect.stringMatching(/^0 sessions .*\n0 decisions derived again/),
    stderr: 'Stopped: later attempts are not in it.\n',
  });
});
