import { jobsOn } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

async function setUp() {
  const { store, clock } = jobStore(virtualClock(START));
  const jobs = jobsOn(store, { report: async () => {} }, { clock, worker: 'w1', log: 'off' });
  jobs.schedule('nightly', { handler: 'report', cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
  jobs.schedule('pulse', { handler: 'report', everyMs: 900_000, payload: 'all' as never });
  await jobs.start();
  await clock.advance(900_000 + 5_000);
  const stop = async () => {
    const stopped = jobs.stop();
    await clock.advance(10_000);
    await stopped;
  };
  onTestFinished(stop);
  const run = (...args: string[]) => runMain(['schedules', ...args], { store, clock });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { store, clock, run, json, stop };
}

test('list: times, next and last tick, totals', async () => {
  const { run, json } = await setUp();
  expect((await run('list')).stdout.split('\n')).toEqual([
    'schedule  times                     handler  next            last     enqueued',
    'nightly   30 2 * * * Europe/Berlin  report   in 17 h 15 min                  0',
    'pulse     every 15 min              report   in 14 min 55 s  5 s ago         1',
    '',
  ]);
  const { schedules } = await json('list');
  expect(schedules[1]).toMatchObject({
    name: 'pulse',
    every_ms: 900_000,
    cron: null,
    state: 'active',
    next: '2027-01-31T08:30:00.000Z',
    last_tick: '2027-01-31T08:15:00.000Z',
    last_result: 'enqueued',
    last_job: 'pulse@2027-01-31T08:15:00Z',
    totals: { enqueued: 1, skipped: 0, missed: 0 },
  });
});

test('show: all about one; a wrong name is answered with the right one', async () => {
  const { run } = await setUp();
  const { stdout } = await run('show', 'pulse');
  expect(stdout).toContain('next      2027-01-31 08:30:00Z, in 14 min 55 s');
  expect(stdout).toContain('payload   "all"');
  const { exitCode, stderr } = await run('show', 'puls');
  expect(exitCode).toBe(3);
  expect(stderr).toBe('redrive: There is no schedule puls.\nDid you mean pulse?\n');
});

test('pause and resume: no ticks meanwhile, and the last one comes afterwards', async () => {
  const { run, json, clock } = await setUp();
  expect((await run('pause', 'pulse', '--dry-run')).stdout).toBe(
    'The schedule pulse would be paused.\n',
  );
  expect((await run('pause', 'pulse', '--reason', 'INC-7')).stdout).toBe(
    'The schedule pulse is paused.\n',
  );
  expect((await run('pause', 'pulse')).stdout).toBe('The schedule pulse was already paused.\n');
  await clock.advance(2 * 900_000);
  expect(await json('show', 'pulse')).toMatchObject({
    state: 'stopped',
    next: null,
    stopped_why: 'INC-7',
    totals: { enqueued: 1 },
  });
  expect((await run('list')).stdout).toMatch(/pulse .* paused/);
  expect(await json('resume', 'pulse')).toEqual({
    scope: 'schedule',
    name: 'pulse',
    paused: false,
    changed: true,
    dry_run: false,
  });
  await clock.advance(3_000);
  expect((await json('show', 'pulse')).totals).toEqual({ enqueued: 2, skipped: 0, missed: 1 });
});

test('run: enqueues its job now, unless one is unfinished', async () => {
  const { store, run, json, clock, stop } = await setUp();
  expect((await run('run', 'nightly', '--dry-run')).stdout).toContain('would be enqueued');
  await stop();
  const { job } = await json('run', 'nightly');
  expect(await store.job(job)).toMatchObject({ handler: 'report', state: 'ready' });
  const { exitCode, stderr } = await run('run', 'nightly');
  expect(exitCode).toBe(7);
  expect(stderr).toContain(`Job ${job} of the schedule nightly is unfinished`);
  // Nobody enqueues the next tick of the other one.
  await clock.advance(2 * 900_000);
  expect(await json('show', 'pulse')).toMatchObject({ state: 'no_worker' });
});

test('remove: refused while the configuration has it or its worker runs, then it is gone with its pause', async () => {
  const { store, clock, run, json, stop } = await setUp();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
jobs: { handlers: { report: { command: ["true"], idempotent: true } } }
schedules: { pulse: { handler: report, every: 900 } }
`,
  });
  const configured = await runMain(['schedules', 'remove', 'pulse'], { store, clock, directory });
  expect([configured.exitCode, configured.stderr]).toEqual([
    7,
    expect.stringContaining('The schedule pulse is in'),
  ]);
  const running = await run('remove', 'pulse');
  expect([running.exitCode, running.stderr]).toEqual([
    7,
    expect.stringMatching(/The worker w1-\w+ declares the schedule pulse/),
  ]);
  await run('pause', 'pulse');
  await stop();
  expect((await run('remove', 'pulse', '--dry-run')).stdout).toBe(
    'The schedule pulse would be removed.\n',
  );
  expect(await json('remove', 'pulse', '--reason', 'INC-7')).toEqual({
    ...{ name: 'pulse', removed: true, dry_run: false },
  });
  expect((await json('list')).schedules.map(({ name }: { name: string }) => name)).toEqual([
    'nightly',
  ]);
  expect((await run('remove', 'pulse')).exitCode).toBe(3);
  const { all } = await store.controls();
  expect(all.filter(({ kind }) => kind === 'kill')).toEqual([]);
  const audit = await runMain(['audit', 'list', '--event', 'control', '--json'], { store, clock });
  expect(audit.stdout).toContain('INC-7');
});

test('status: a paused schedule is shown with the command that resumes it', async () => {
  const { store, clock, run } = await setUp();
  await run('pause', 'pulse', '--reason', 'INC-7');
  const { stdout } = await runMain(['status'], { store, clock });
  expect(stdout).toContain('the schedule pulse: paused');
  expect(stdout).toContain('redrive schedules resume pulse');
});
