import { readdirSync } from 'node:fs';
import { RedriveError } from '@redrive/core';
import { controlOverview } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { withWorker } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

function setUp() {
  const all = jobStore(virtualClock(START));
  const { clock } = all;
  const store = withWorker(all.store);
  const run = (...args: string[]) => runMain(['kill', ...args], { store, clock });
  const json = async (...args: string[]) => {
    const { exitCode, stdout } = await run(...args, '--json');
    return { exitCode, ...JSON.parse(stdout) };
  };
  return { ...all, run, json };
}

test('a queue is stopped until it is released, with who and why', async () => {
  const { run, jobs, work } = setUp();
  const { id } = await jobs.enqueue('mail', {});
  const { exitCode, stdout, stderr } = await run('engage', 'queue', 'default', '--reason', 'INC-7');
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    'Stopped: the queue default in sqlite:./redrive.db, in every process within a\nsecond. No job runs; 1 waits.\n',
  );
  expect(stderr).toBe('To release it: redrive kill release queue default\n');
  await work(3_000);
  expect((await jobs.job(id))?.state).toBe('ready');
  const list = await run('list');
  expect(list.stdout).toMatch(
    /^scope .*\nqueue {2}default {2}4 s ago {2}cli:\S+@\S+ {2}may finish +INC-7\n$/,
  );
  const released = await run('release', 'queue', 'default');
  expect(released.stdout).toBe(
    'The kill switch for the queue default is released: all its waiting jobs may\nstart at once.\n',
  );
  await work(1_000);
  expect((await jobs.job(id))?.state).toBe('succeeded');
  expect((await run('list')).stdout).toContain('No kill switch is engaged.');
});

test('everything is stopped only by who says so twice', async () => {
  const { run, json, jobs } = setUp();
  await jobs.enqueue('mail', {});
  const { exitCode, stdout, stderr } = await run('engage', 'all');
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
  expect(stderr).toBe(
    'redrive: Nothing was changed: this stops everything. No job runs; 1 waits.\nAdd --confirm=all to go ahead.\n',
  );
  expect((await run('engage', 'all', '--confirm=yes')).exitCode).toBe(4);
  expect((await json('status')).engaged).toEqual([]);
  const dry = await run('engage', 'all', '--dry-run');
  expect(dry.stdout).toBe(
    'It would stop everything in sqlite:./redrive.db. No job runs; 1 waits.\n',
  );
  expect((await json('status')).engaged).toEqual([]);
  expect(await json('engage', 'all', '--confirm=all')).toMatchObject({
    exitCode: 0,
    scope: 'all',
    name: null,
    mode: 'finish',
    changed: true,
    waiting: 1,
    running: 0,
  });
});

test('where no job runs or waits, it says which calls obey all the same', async () => {
  const { run } = setUp();
  const { stdout } = await run('engage', 'all', '--confirm=all');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'No unfinished job is affected now; new jobs wait until the switch is released.',
  );
});

test('engaged twice, it says so; another mode is a change', async () => {
  const { run, json, clock } = setUp();
  await run('engage', 'tenant', 'acme');
  await clock.advance(90_000);
  const again = await run('engage', 'tenant', 'acme');
  expect(again.stdout).toMatch(
    /^The kill switch for the tenant acme in\s+\S+\s+was\s+already\s+engaged:\s+1\s+min\s+30\s+s\s+ago\s+by\s+cli:/,
  );
  expect(await json('engage', 'tenant', 'acme', '--mode', 'interrupt')).toMatchObject({
    changed: true,
    mode: 'interrupt',
    since: '2027-01-31T08:00:00.000Z',
    running: null,
  });
  expect((await run('list')).stdout).toContain('interrupted');
});

test('released at a pace, what waited comes back at it', async () => {
  const { run, store } = setUp();
  await run('engage', 'handler', 'mail');
  const dry = await run('release', 'handler', 'mail', '--pace', '20/s', '--dry-run');
  expect(dry.stdout).toContain('would be released');
  expect((await controlOverview(store)).killSwitches).toHaveLength(1);
  const { stdout } = await run('release', 'operation', 'mail', '--pace', '20/s');
  expect(stdout).toBe(
    'The kill switch for the handler mail is released: its jobs are released at a\ngrowing pace, beginning with 20/s.\n',
  );
  const { killSwitches, parked } = await controlOverview(store);
  expect(killSwitches).toEqual([]);
  expect(parked).toMatchObject([{ cause: 'kill:operation:mail', perSecond: 20 }]);
});

test('a release tells what else is engaged', async () => {
  const { run } = setUp();
  await run('engage', 'all', '--confirm', 'all');
  await run('engage', 'queue', 'default');
  const { stdout, stderr } = await run('release', 'queue', 'default');
  expect(stdout).toContain('is released');
  expect(stderr).toBe('Still engaged: all.\n');
});

test('a release of a switch that is not engaged changes nothing, says so, and ends with "not found"', async () => {
  const { run, json, jobs } = setUp();
  await jobs.enqueue('mail', {});
  await run('engage', 'all', '--confirm', 'all');
  const none = await run('release', 'queue', 'default');
  expect(none).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr:
      'redrive: No kill switch for the queue default is engaged, so nothing was released.\nKill switches engaged: all.\n',
  });
  for (const more of ['--dry-run', '--pace=5/s']) {
    expect((await run('release', 'queue', 'default', more)).exitCode, more).toBe(3);
  }
  const { exitCode, stdout, stderr } = await run('release', 'queue', 'default', '--json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'no_match' } });
  expect((await json('release', 'all')).changed).toBe(true);
  expect((await run('release', 'all')).stderr).toBe(
    'redrive: No kill switch for everything is engaged, so nothing was released.\nNo kill switch is engaged.\n',
  );
});

test('a name that no job has may be a slip', async () => {
  const { run, jobs } = setUp();
  await jobs.enqueue('mail', {});
  const { exitCode, stderr } = await run('engage', 'operation', 'mial');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('No job has the handler mial; there are jobs of mail.');
});

test('is engaged also where jobs cannot be counted', async () => {
  const { store, clock } = setUp();
  const counts = () =>
    Promise.reject(new RedriveError('store_unavailable', 'The server did not answer in time.'));
  const run = (...args: string[]) =>
    runMain(['kill', ...args], { store: { ...store, counts }, clock });
  const { exitCode, stdout, stderr } = await run('engage', 'queue', 'default');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      'Stopped: the queue default in sqlite:./redrive.db, in every process within a\nsecond.\n',
  });
  expect(stderr).toBe(
    'The jobs that it stops could not be counted: The server did not answer in time.\nTo release it: redrive kill release queue default\n',
  );
  expect((await controlOverview(store)).killSwitches).toMatchObject([{ name: 'default' }]);
  expect((await run('engage', 'queue', 'default')).stdout.replaceAll('\n', ' ')).toContain(
    'already engaged: now by cli:',
  );
  expect((await run('engage', 'all')).exitCode).toBe(4);
  expect((await run('engage', 'all', '--confirm=all')).exitCode).toBe(0);
});

test('a store that does not exist is named, and is created only by the switch itself', async () => {
  const directory = scratchDirectory(onTestFinished);
  const run = async (line: string) => {
    const ran = await runMain(['kill', ...line.split(' ')], { directory });
    return { ...ran, text: ran.stdout.replaceAll(/\s+/g, ' '), files: readdirSync(directory) };
  };
  const url = '--store sqlite:wrong.db';
  const dry = await run(`engage all --dry-run ${url}`);
  expect(dry).toMatchObject({ exitCode: 0, files: [] });
  expect(dry.text).toBe(
    'The store sqlite:wrong.db does not exist. It would be created, and would stop everything. ',
  );
  const json = await run(`engage queue a --dry-run --json ${url}`);
  expect(JSON.parse(json.stdout)).toMatchObject({ created: true, store: 'sqlite:wrong.db' });
  expect(await run(`engage all ${url}`)).toMatchObject({ exitCode: 4, files: [] });
  const missing = await run(`release all ${url}`);
  expect(missing).toMatchObject({ exitCode: 8, files: [] });
  expect(missing.stderr).toContain('"redrive kill engage"');
  const { exitCode, text } = await run(`engage all --confirm=all ${url}`);
  expect({ exitCode, text }).toEqual({
    exitCode: 0,
    text: 'Stopped: everything in sqlite:wrong.db, in every process within a second. This store is new: no worker is known to use it. ',
  });
  const again = await run(`engage queue mail --json ${url}`);
  expect(JSON.parse(again.stdout)).toMatchObject({ created: false, changed: true });
});

test.each([
  [['engage', 'world'], 'There is no kill switch for "world": use all, queue, handler or tenant.'],
  [['engage', 'queue'], 'The name of the queue is missing.'],
  [['release', 'all', 'mail'], 'A kill switch for all has no name.'],
  [['release', 'all', '--pace', 'slow'], '--pace is not a rate: slow'],
])('a wrong command line is refused: %j', async (args, message) => {
  const { run } = setUp();
  const { exitCode, stderr } = await run(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
