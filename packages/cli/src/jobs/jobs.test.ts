import { definePolicy } from '@redrive/core';
import { final, type JobContext, jobsOn, memoryStore, runsElsewhere } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type JobStore,
  jobStore,
  type MovableClock,
  START,
  START_MS,
} from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';

/** Runs a command on this store, at this time. */
function commands({ store, clock }: Pick<JobStore<MovableClock>, 'store' | 'clock'>) {
  return (args: string, options: RunOptions = {}) =>
    runMain(['jobs', ...args.split(' ')], { store, clock, ...options });
}

async function withJobs() {
  const all = jobStore(virtualClock(START));
  onTestFinished(() => expect(all.clock.pendingTimers).toBe(0));
  return { ...all, run: commands(all) };
}

describe('a job whose row was set aside', () => {
  test.each([
    [
      'life: it is not JSON',
      'Its row cannot be read (life: it is not JSON) and was set aside: run redrive doctor.',
    ],
    [undefined, 'Its row was set aside and can be read again: run redrive doctor --put-back.'],
  ])('says so in show, cancel and retry (%s)', async (problem, text) => {
    const { jobs, store, clock } = await withJobs();
    const { id } = await jobs.enqueue('mail', { failures: 0 });
    const faulty = { ...store, unreadableJob: async () => ({ id, problem, isSetAside: true }) };
    const run = commands({ store: faulty, clock });
    const shown = await run(`show ${id}`);
    expect(shown.stdout.replaceAll('\n', ' ')).toContain(text);
    expect(shown.stdout).not.toContain('waits for a worker');
    for (const act of ['cancel', 'retry']) {
      const { exitCode, stdout } = await run(`${act} ${id}`);
      expect([exitCode, stdout.trim()]).toEqual([7, `${id}: ${text}`]);
    }
    expect(await store.job(id)).toMatchObject({ state: 'ready' });
  });
});

describe('show', () => {
  test('a job that waits for its retry: every attempt, the next one, and why', async () => {
    const { jobs, work, run, clock } = await withJobs();
    const { id } = await jobs.enqueue('mail', { failures: 3 }, { priority: 5, tags: ['a', 'b'] });
    await work(70_000);
    const { exitCode, stdout, stderr } = await run(`show ${id}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(clock.now()).toBe(START_MS + 71_000);
    expect(stdout.split('\n')).toEqual([
      `mail ${id}  scheduled`,
      'The next attempt starts at 2027-01-31 08:03:00Z (in 1 min 49 s):',
      'retryable_error, the error may be temporary.',
      '',
      'queue       default, priority 5',
      'submitted   2027-01-31 08:00:00Z (1 min 11 s ago)',
      'attempts    2 of 8',
      'error class retryable',
      expect.stringMatching(/^policy {6}runs\.default, version [0-9a-f]{12}$/),
      'tags        a, b',
      '',
      'attempts',
      '   1  2027-01-31 08:00:00Z, took 0: failed',
      '      Error: connection reset, \\x1b[31mattempt 1 (retryable)',
      '      retryable_error: again after 1 min',
      '   2  2027-01-31 08:01:00Z, after a wait of 1 min, took 0: failed',
      '      Error: connection reset, \\x1b[31mattempt 2 (retryable)',
      '      retryable_error: again after 2 min',
      '',
      'payload',
      '  {"failures":3}',
      '',
    ]);
  });

  test('errors of many lines keep them, and attempts of two generations stand in line', async () => {
    const clock = virtualClock(START);
    const store = memoryStore({ clock });
    const handlers = {
      build: (_: null, { generation }: JobContext) => {
        if (generation === 1) return final('a\nb \x1b[2J');
        return null;
      },
    };
    const jobs = jobsOn(store, handlers, { clock });
    const run = commands({ store, clock });
    const { id } = await jobs.enqueue('build', null);
    await jobs.start();
    await clock.advance(10);
    expect((await run('list')).stdout).toContain('final_error: a b');
    await run(`retry ${id}`);
    await clock.advance(2_000);
    await jobs.stop();
    const lines = (await run(`show ${id}`)).stdout.split('\n');
    const from = lines.indexOf('attempts');
    expect(lines).toContain('attempts    1, in generation 2');
    expect(lines.slice(from + 1, from + 6)).toEqual([
      expect.stringMatching(/^ {4}1 {2}2027.*failed$/),
      '       returned final: a',
      '       b \\x1b[2J (final)',
      '       final_error: given up',
      expect.stringMatching(/^ {2}2\.1 {2}2027.*succeeded$/),
    ]);
  });

  test.each<[string, (store: JobStore<MovableClock>) => Promise<string>, string]>([
    ['is new', async ({ jobs }) => (await jobs.enqueue('mail', {})).id, '0'],
    [
      'worked at once',
      async ({ jobs, work }) => {
        const { id } = await jobs.enqueue('mail', {});
        await work(10);
        return id;
      },
      '1',
    ],
    [
      'was told to come back',
      async ({ jobs, work }) => {
        const { id } = await jobs.enqueue('search', {});
        await work(20_000);
        return id;
      },
      '2',
    ],
  ])('counts the attempts of a job that %s', async (_name, make, text) => {
    const all = await withJobs();
    const id = await make(all);
    expect((await all.run(`show ${id}`)).stdout.split('\n')).toContain(`attempts    ${text}`);
  });

  test('says "3 attempts, succeeded", not "attempts 3 of 8 … retry count 0"', async () => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', { failures: 2 });
    await work(200_000);
    const { stdout } = await run(`show ${id}`);
    expect(stdout.split('\n')[1]).toMatch(/^3 attempts, succeeded at 2027-01-31 08:0\d:00Z \(/);
    expect(stdout).toMatch(/^attempts {4}3$/m);
    expect(stdout).not.toMatch(/retry count| of 8/);
  });

  test('a policy without a name is not shown as if it were the built-in default', async () => {
    const clock = virtualClock(START);
    const store = memoryStore({ clock });
    const build = { run: () => final('no'), policy: definePolicy({ maxAttempts: 2 }) };
    const jobs = jobsOn(store, { build }, { clock });
    const run = commands({ store, clock });
    const { id } = await jobs.enqueue('build', null);
    await jobs.start();
    await clock.advance(10);
    await jobs.stop();
    expect((await run(`show ${id}`)).stdout).toMatch(
      /^policy {6}of the handler \(no name\), version [0-9a-f]{12}$/m,
    );
  });

  test('as JSON, with all that scripts rely on', async () => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', { failures: 1 });
    await work(1_000);
    const waiting = JSON.parse((await run(`show ${id} --json`)).stdout);
    expect(waiting).toMatchObject({
      id,
      handler: 'mail',
      state: 'scheduled',
      retry_count: 1,
      next_retry_at: '2027-01-31T08:01:00.000Z',
      error_class: 'retryable',
      submitted_at: '2027-01-31T08:00:00.000Z',
      submitted_date: '2027-01-31T08:00:00.000Z',
      policy: 'runs.default',
      attempts: [
        {
          attempt_number: 1,
          timestamp: '2027-01-31T08:00:00.000Z',
          delay: 0,
          success: false,
          error: { type: 'Error', message: expect.stringContaining('connection reset') },
          reason: 'retryable_error',
          next_delay: 60,
        },
      ],
    });
    await work(60_000);
    const done = JSON.parse((await run(`show ${id} --json`)).stdout);
    expect(done).toMatchObject({
      state: 'succeeded',
      retry_count: 0,
      next_retry_at: null,
      error_class: null,
      result: { delivered: true },
    });
    expect(done.attempts[1]).toMatchObject({ attempt_number: 2, delay: 60, success: true });
  });

  test.each([
    [
      'import',
      'dead',
      /given up at .*: final_error, trying again\s+cannot help\. To run it again: redrive jobs retry/,
    ],
    ['search', 'scheduled', /\(in \d+ s\): rate_limited, its\s+dependency rate-limited it/],
  ] as const)('a job of %s is %s, and says why', async (handler, state, why) => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue(handler, {});
    await work(100);
    const { stdout } = await run(`show ${id}`);
    expect(stdout.split('\n')[0]).toBe(`${handler} ${id}  ${state}`);
    expect(stdout).toMatch(why);
  });

  test('a job that waits because of a pause says who paused what', async () => {
    const { jobs, run, store, clock } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    const args = ['queue', 'pause', 'default', '--reason', 'moving house'];
    await runMain(args, { store, clock });
    expect((await run(`show ${id}`)).stdout).toMatch(
      /the\s+queue\s+default\s+was\s+paused\s+at\s.*\sby\s+cli:\S+\s+moving\s+house\./s,
    );
  });

  test('what errors and payloads say cannot reach the terminal as control characters', async () => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', { failures: 1, to: '\x9b2J\u202E' } as object);
    await work(100);
    for (const args of [`show ${id}`, `show ${id} --json`, `show ${id} --full`, 'list']) {
      const { stdout } = await run(args, { env: { COLUMNS: '400' } });
      expect(stdout, args).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
  });

  test('payloads are masked and cut, unless --full asks, which is on record', async () => {
    const { jobs, run, store } = await withJobs();
    const { id } = await jobs.enqueue('mail', { password: 'hunter2' } as object);
    const { stdout } = await run(`show ${id}`);
    expect(stdout).not.toContain('hunter2');
    expect((await run(`show ${id} --full --reason audit`)).stdout).toContain('hunter2');
    const blocks = await store.auditBlocks(0, 10);
    const note = blocks
      .flatMap((block) => recordsIn(block))
      .findLast(({ event }) => event === 'read');
    expect(note?.id).toBe(id);
    expect(note?.detail).toMatchObject({
      full: true,
      command: 'jobs show',
      from: 'local',
      by: expect.stringMatching(/^cli:.+@/),
      why: 'audit',
    });
  });

  test('an id that nobody knows ends with 3', async () => {
    const { run } = await withJobs();
    const { exitCode, stdout, stderr } = await run('show nobody');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/There is no job with the id nobody\.\n.*redrive jobs list/);
  });
});

describe('list', () => {
  test('the newest first, page by page', async () => {
    const { jobs, run, clock } = await withJobs();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift((await jobs.enqueue('mail', {})).id);
      clock.tick(1_000);
    }
    const listed: string[] = [];
    let after = '';
    for (let pages = 0; pages < 3; pages++) {
      const page = JSON.parse((await run(`list --limit 2 --json${after}`)).stdout);
      listed.push(...page.jobs.map((job: { id: string }) => job.id));
      after = ` --after ${page.next}`;
      expect(page.next === null).toBe(pages === 2);
    }
    expect(listed).toEqual(ids);
    const { stdout, stderr } = await run('list --limit 2');
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toMatch(/^There may be more: --after \S+\n$/);
  });

  test('filters apply together', async () => {
    const { jobs, work, run } = await withJobs();
    const dead = await jobs.enqueue('import', {}, { queue: 'files', tenant: 'a', tags: ['x'] });
    await jobs.enqueue('mail', {});
    await work(100);
    const ids = async (args: string) =>
      JSON.parse((await run(`list --json ${args}`)).stdout).jobs.map(
        (job: { id: string }) => job.id,
      );
    expect(await ids('--state dead')).toEqual([dead.id]);
    expect(await ids('--state dead --state succeeded')).toHaveLength(2);
    expect(await ids('--handler import --queue files --tenant a --tag x')).toEqual([dead.id]);
    expect(await ids('--handler import --queue default')).toEqual([]);
    expect(await ids('--since 1h')).toHaveLength(2);
    expect(await ids('--until 1h')).toEqual([]);
    expect(await ids('--since 2027-01-31T09:00:00Z')).toEqual([]);
    const { stdout } = await run('list --state dead');
    expect(stdout).toMatch(
      /^id +handler +state +tries +submitted +why\n.* import +dead +1 .*final_error/,
    );
  });

  test.each([
    ['list --limit 0', /--limit must be a whole number from 1 to 1,000, not 0/],
    ['list --state gone', /Allowed choices are scheduled/],
    ['list --since yesterday', /--since is not a time: yesterday/],
  ])('%s is wrong usage', async (args, message) => {
    const { run } = await withJobs();
    const { exitCode, stderr } = await run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('nothing is no failure', async () => {
    const { run } = await withJobs();
    expect(await run('list')).toEqual({ exitCode: 0, stdout: 'No job matches.\n', stderr: '' });
  });
});

describe('wait', () => {
  test('prints the result as it is', async () => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    await work(100);
    const expected = { exitCode: 0, stdout: '{"delivered":true}\n', stderr: '' };
    expect(await run(`wait ${id}`)).toEqual(expected);
  });

  test('what a terminal obeys is escaped, and it is still JSON', async () => {
    const { store, clock, run } = await withJobs();
    const text = 'a\x9b2J\u202Eb\u200b\u2028';
    const jobs = jobsOn(store, { echo: () => ({ text }) }, { clock });
    const { id } = await jobs.enqueue('echo', null);
    await jobs.start();
    await clock.advance(10);
    await jobs.stop();
    const { stdout } = await run(`wait ${id}`);
    expect(stdout).toBe('{"text":"a\\u009b2J\\u202eb\\u200b\\u2028"}\n');
    expect(JSON.parse(stdout)).toEqual({ text });
  });

  test('as JSON it is masked, unless --full, and the record says so', async () => {
    const { store, clock, run } = await withJobs();
    const jobs = jobsOn(store, { login: () => ({ password: 'hunter2' }) }, { clock });
    const { id } = await jobs.enqueue('login', null);
    await jobs.start();
    await clock.advance(10);
    await jobs.stop();
    expect((await run(`wait ${id} --json`)).stdout).not.toContain('hunter2');
    const { stdout } = await run(`wait ${id} --json --full`);
    expect(JSON.parse(stdout).result).toEqual({ password: 'hunter2' });
    const records = (await store.auditBlocks(0, 100))
      .flatMap((block) => recordsIn(block))
      .filter((record) => record.event === 'read');
    expect(records.map((record) => record.detail.full)).toEqual([undefined, true]);
  });

  test('ends with 1 and says why, when the job is dead', async () => {
    const { jobs, work, run } = await withJobs();
    const { id } = await jobs.enqueue('import', {});
    await work(100);
    const { exitCode, stdout, stderr } = await run(`wait ${id}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe('dead (final_error): the file is not there\n');
    const json = await run(`wait ${id} --json`);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ id, state: 'dead' });
  });

  test('ends with 124 when its time is over, and with 3 for an unknown job', async () => {
    const { jobs, run, clock } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    const waiting = run(`wait ${id} --timeout 5s`);
    await clock.advance(6_000);
    const { exitCode, stderr } = await waiting;
    expect(exitCode).toBe(124);
    expect(stderr).toContain('has not finished within 5000 ms');
    expect((await run('wait nobody')).exitCode).toBe(3);
  });
});

describe('cancel and retry', () => {
  test('a waiting job is cancelled and sent again, with who and why on record', async () => {
    const { jobs, run, store } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    expect(await run(`cancel ${id} --reason duplicate`)).toEqual({
      exitCode: 0,
      stdout: `${id}: cancelled\n`,
      stderr: '',
    });
    expect((await run(`cancel ${id}`)).exitCode).toBe(7);
    const { stdout } = await run(`retry ${id} --reason needed --json`);
    expect(JSON.parse(stdout)).toEqual({
      jobs: [{ id, done: true, state: 'ready', note: 'requeued, with all its attempts' }],
      dry_run: false,
    });
    const blocks = await store.auditBlocks(0, 10);
    const details = blocks.flatMap((block) => recordsIn(block)).map((record) => record.detail);
    expect(JSON.stringify(details)).toMatch(/"cli:[^"]+@[^"]+".*duplicate.*"cli:.*needed/);
  });

  test('a scheduled job is made ready before its time, a running one is asked to stop', async () => {
    const { jobs, run, clock } = await withJobs();
    const later = await jobs.enqueue('mail', {}, { delayMs: 60_000 });
    expect((await run(`retry ${later.id}`)).stdout).toContain('ready now instead of later');
    const slow = await jobs.enqueue('slow', {});
    await jobs.start();
    await clock.advance(100);
    expect((await run(`show ${slow.id}`)).stdout).toMatch(
      /Attempt 1 has been running on worker-1-\w+\s+since/,
    );
    expect((await run(`retry ${slow.id}`)).exitCode).toBe(7);
    expect((await run(`cancel ${slow.id}`)).stdout).toContain('asked to stop, because it runs');
    await clock.advance(15_000);
    expect((await jobs.job(slow.id))?.state).toBe('cancelled');
    const stopped = jobs.stop();
    await clock.advance(1_000);
    await stopped;
  });

  test('several at once: some done is 5, none there is 3', async () => {
    const { jobs, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    const partly = await run(`cancel ${id} nobody`);
    expect(partly.exitCode).toBe(5);
    expect(partly.stdout).toBe(`${id}: cancelled\nnobody: there is no such job\n`);
    expect((await run('cancel nobody noone')).exitCode).toBe(3);
  });

  test('--dry-run does nothing', async () => {
    const { jobs, run } = await withJobs();
    const { id } = await jobs.enqueue('mail', {});
    expect((await run(`cancel ${id} --dry-run`)).stdout).toBe(`${id}: would be cancelled\n`);
    const json = JSON.parse((await run(`cancel ${id} --dry-run --json`)).stdout);
    expect(json).toMatchObject({ dry_run: true, jobs: [{ id, state: 'ready' }] });
    expect((await jobs.job(id))?.state).toBe('ready');
  });
});

test('list with a rare filter says how many jobs it looked at, and how to go on', async () => {
  const { store } = jobStore(virtualClock(START));
  // One page of a store with more jobs than a page looks at, and none of them matches.
  const large = { ...store, jobs: async () => ({ jobs: [], next: '1.job-1' }) };
  const run = (...args: string[]) =>
    runMain(['jobs', 'list', '--tag', 'rare', ...args], { store: large });
  expect(await run()).toMatchObject({
    exitCode: 0,
    stdout: 'No job of this page matches.\n',
    stderr: 'Looked at 20,000 jobs and found 0. To look further: --after 1.job-1\n',
  });
  expect(JSON.parse((await run('--json')).stdout)).toEqual({
    jobs: [],
    failing: null,
    upkeep: null,
    next: '1.job-1',
  });
});

test("list leaves out Redrive's own upkeep, says how many jobs, and shows them with --upkeep", async () => {
  const clock = virtualClock(START);
  const { store } = jobStore(clock);
  const run = runsElsewhere<object>();
  const jobs = jobsOn(store, { mail: run, 'sweeps.run': run }, { clock, log: 'off' });
  await jobs.enqueue('mail', {});
  for (const each of [1, 2]) await jobs.enqueue('sweeps.run', { each });
  const list = async (...args: string[]) => {
    const { stdout } = await runMain(['jobs', 'list', ...args], { store });
    return { rows: stdout.match(/mail|sweeps\.run/g), last: stdout.trim().split('\n').at(-1) };
  };
  const { rows, last } = await list();
  expect({ rows, last }).toEqual({
    rows: ['mail'],
    last: "2 jobs of Redrive's own upkeep left out; see --upkeep",
  });
  expect((await list('--upkeep')).rows).toHaveLength(3);
  expect((await list('--handler', 'sweeps.run')).rows).toHaveLength(2);
});

describe('list --failing', () => {
  test('has jobs that have failed and will be tried again, the newest failure first', async () => {
    const { jobs, work, run, clock } = await withJobs();
    expect((await run('list --failing')).stdout).toBe('No unfinished job is failing.\n');
    await jobs.enqueue('mail', {});
    await jobs.enqueue('import', {});
    const older = await jobs.enqueue('mail', { failures: 3 });
    await work(10);
    await clock.advance(10_000);
    const newer = await jobs.enqueue('mail', { failures: 3 }, { queue: 'bulk' });
    await jobs.enqueue('mail', {}, { delayMs: 600_000 });
    await work(10);
    const { stdout } = await run('list --failing --json');
    const ids = (text: string) => JSON.parse(text).jobs.map(({ id }: { id: string }) => id);
    expect(ids(stdout)).toEqual([newer.id, older.id]);
    expect(JSON.parse(stdout).jobs[0]).toMatchObject({ state: 'scheduled', handler: 'mail' });
    expect(ids((await run('list --failing --queue bulk --json')).stdout)).toEqual([newer.id]);
    const table = (await run('list --failing --limit 1')).stdout.split('\n');
    expect(table[1]).toMatch(new RegExp(`^${newer.id} +mail +scheduled +1 .*connection reset`));
    expect(table.slice(2)).toEqual(['', '1 of 2 failing jobs; --limit shows more', '']);
    expect((await run('list --failing --after x')).exitCode).toBe(2);
  });

  test('an empty list says how many jobs are dead, and where they are', async () => {
    const { jobs, work, run } = await withJobs();
    await jobs.enqueue('import', {});
    await work(10);
    const empty = async (options = '') => (await run(`list --failing${options}`)).stdout;
    const one = 'No unfinished job is failing. 1 is dead: redrive dlq groups\n';
    expect(await empty()).toBe(one);
    expect(await empty(' --handler import')).toBe(one);
    expect(await empty(' --handler mail')).toBe('No unfinished job is failing.\n');
    expect(await empty(' --tenant acme')).toBe('No unfinished job is failing.\n');
    await jobs.enqueue('import', {});
    await work(10);
    expect(await empty()).toBe('No unfinished job is failing. 2 are dead: redrive dlq groups\n');
  });
});
