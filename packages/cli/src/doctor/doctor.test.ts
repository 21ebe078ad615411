import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { jobsOn, memoryStore } from '@redrive/durable';
import type { UnreadableJob } from '@redrive/durable/store';
import { openStore } from '@redrive/sqlite';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const WEEK_MS = 7 * 86_400_000;

/** A store whose clock can be set, and a job of it that fails once. */
function setUp() {
  const machine = virtualClock(START);
  let aheadMs = 0;
  const clock: Clock = { ...machine, now: () => machine.now() + aheadMs };
  const store = memoryStore({ clock });
  // Tests replace methods of the store, but never this one.
  clocks.set(store.counts, clock);
  const handlers = {
    mail: (_payload: unknown, { attempt }: { attempt: number }) => {
      if (attempt === 1) throw new Error('once more');
    },
  };
  const jobs = jobsOn(store, handlers, { clock });
  return {
    store,
    clock,
    jobs,
    setAhead: (ms: number) => {
      aheadMs = ms;
    },
    async work(durationMs: number) {
      await jobs.start();
      await machine.advance(durationMs);
      const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
      await machine.advance(1_000);
      await stopped;
    },
  };
}

/** The clock of this machine agrees with that of the store. */
const clocks = new WeakMap<object, Clock>();
const storeClock = (store: FullStore): Clock => clocks.get(store.counts) ?? systemClock;

const doctor = async (store: FullStore, ...args: string[]) => {
  const ran = await runMain(['doctor', '--json', ...args], { store, clock: storeClock(store) });
  return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout) };
};

describe('doctor', () => {
  test('finds nothing wrong with a store that is well', async () => {
    const { store, jobs, work } = setUp();
    await jobs.enqueue('mail', 1);
    await jobs.enqueue('mail', 2, { delayMs: 4 * WEEK_MS });
    await work(5_000);
    expect(await doctor(store)).toMatchObject({ exitCode: 0, ok: true, findings: [] });
    const { stdout, exitCode } = await runMain(['doctor'], { store, clock: storeClock(store) });
    expect({ stdout, exitCode }).toEqual({
      stdout:
        'No problem. 0 jobs were read.\nChecked: lints, store, schema, durability, disk, clock, rows, future_due,\nunsealed, policies, workers, schedules, buses, sweeps, ports\nTo see failing jobs: redrive status\nTo check the audit log: redrive audit verify\n',
      exitCode: 0,
    });
  });

  test('a clock set forward and back leaves jobs due weeks ahead: it names them and the command that mends it', async () => {
    const { store, jobs, setAhead, work } = setUp();
    setAhead(3 * WEEK_MS);
    const { id } = await jobs.enqueue('mail', 1);
    await work(5_000);
    setAhead(0);
    const wanted = await jobs.enqueue('mail', 2, { delayMs: 4 * WEEK_MS });
    const found = await doctor(store);
    expect(found).toMatchObject({
      exitCode: 1,
      ok: false,
      findings: [{ check: 'future_due', level: 'problem', jobs: [id] }],
    });
    const [finding] = found.findings;
    expect(finding.message).toMatch(/^1 job with a due time from a clock that was up to 21 d/);
    expect(finding.remedy).toBe(`redrive jobs retry --reason 'the clock was ahead' ${id}`);

    const mended = await runMain(['jobs', 'retry', id, '--reason', 'the clock was ahead'], {
      store,
    });
    expect(mended.exitCode).toBe(0);
    expect(await store.job(id)).toMatchObject({ state: 'ready' });
    expect(await store.job(wanted.id)).toMatchObject({ state: 'scheduled' });
    // The job is ready now, and there is no worker.
    expect(await doctor(store)).toMatchObject({ findings: [{ check: 'workers' }] });
  });

  test('a row that no claim may meet, such as a dead letter: it does not promise that one will', async () => {
    const { store } = setUp();
    const jobs: UnreadableJob[] = [{ id: 'a', problem: 'life: no', isSetAside: false }];
    const faulty: FullStore = { ...store, unreadableJobs: async () => ({ jobs, looked: 1 }) };
    const [finding] = (await doctor(faulty)).findings;
    expect(finding.message).toBe(
      'The row of job a cannot be read (life: no); a worker that would claim it sets it aside, and the other jobs run as before.',
    );
  });

  test('lists rows that cannot be read, and puts mended ones back', async () => {
    const rows: UnreadableJob[] = [
      { id: 'a', problem: 'life: it is not JSON', isSetAside: true },
      { id: 'b', problem: undefined, isSetAside: true },
    ];
    const { store } = setUp();
    const faulty: FullStore = {
      ...store,
      unreadableJobs: async () => ({ jobs: rows, looked: 7 }),
      putBack: async (ids) => ids,
    };
    expect(await doctor(faulty)).toMatchObject({
      exitCode: 1,
      jobs_read: 7,
      put_back: [],
      findings: [
        {
          check: 'unreadable_row',
          level: 'problem',
          message:
            'The row of job a cannot be read (life: it is not JSON); it is set aside, and the other jobs run as before.',
          remedy:
            'Restore that column of the row from a backup, then run: redrive doctor --put-back',
          jobs: ['a'],
        },
        { check: 'set_aside', remedy: 'redrive doctor --put-back', jobs: ['b'] },
      ],
    });
    const { stdout } = await runMain(['doctor', '--put-back'], { store: faulty });
    expect(stdout).toContain('Put back: b');
    expect(await doctor(faulty, '--put-back')).toMatchObject({
      exitCode: 1,
      put_back: ['b'],
      findings: [{ check: 'unreadable_row' }],
    });
  });

  test('warns of an audit log that nobody seals', async () => {
    const { store, jobs, clock, setAhead } = setUp();
    await jobs.enqueue('mail', 1, { delayMs: WEEK_MS });
    setAhead(120_000);
    expect(await doctor(store)).toMatchObject({
      exitCode: 0,
      findings: [{ check: 'unsealed', level: 'warning', jobs: [] }],
    });
    await store.seal();
    expect(await doctor(store)).toMatchObject({ exitCode: 0, findings: [] });
    expect(clock.now()).toBeGreaterThan(0);
  });

  test('warns of a store’s file that other users can read', async () => {
    const directory = scratchDirectory(onTestFinished);
    const path = join(directory, 'store.db');
    const made = await openStore(path);
    await made.migrate();
    await made.close();
    chmodSync(path, 0o644);
    const { stdout, exitCode } = await runMain(['doctor', '--store', `sqlite:${path}`, '--json'], {
      directory,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      {
        check: 'store',
        level: 'warning',
        remedy: expect.stringMatching(/^Allow it to its owner alone: chmod 600 /),
      },
    ]);
  });
});
