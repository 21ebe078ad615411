import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { closeGate, openBreaker, parkJobs } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

async function withJobs() {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  await jobs.enqueue('import', {}, { queue: 'files' });
  await jobs.enqueue('mail', { failures: 1 });
  await jobs.enqueue('mail', {});
  await work(100);
  await jobs.enqueue('mail', {});
  const run = (...args: string[]) => runMain(args, { store, clock });
  return { ...all, run };
}

test('status: how many jobs are where, what is paused', async () => {
  const { run } = await withJobs();
  await run('queue', 'pause', 'files', '--reason', 'moving house');
  const { exitCode, stdout, stderr } = await run('status');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'memory  2027-01-31 08:00:01Z',
    '',
    'queue    handler  scheduled  ready  parked  leased  succeeded  dead  cancelled',
    'default  mail             1      1       0       0          1     0          0',
    'files    import           0      0       0       0          0     1          0',
    'all                       1      1       0       0          1     1          0',
    '',
    'The oldest ready job was submitted now.',
    '',
    'Paused:',
    expect.stringMatching(/^ {2}queue files: now by cli:.+@.+, moving house$/),
    '',
  ]);
  const json = JSON.parse((await run('status', '--json')).stdout);
  expect(json).toMatchObject({
    store: 'memory',
    time: '2027-01-31T08:00:01.100Z',
    states: { scheduled: 1, ready: 1, succeeded: 1, dead: 1, leased: 0 },
    bounded: false,
    oldest_ready_at: '2027-01-31T08:00:01.100Z',
    handlers: [{ queue: 'default' }, { queue: 'files', states: { dead: 1 } }],
    paused: [{ scope: 'queue', name: 'files', why: 'moving house' }],
  });
});

test('status: what is stopped, which breakers are not closed, which gates are, what is parked', async () => {
  const { store, clock } = jobStore(virtualClock(START));
  const run = (...args: string[]) => runMain(args, { store, clock });
  await run('kill', 'engage', 'tenant', 'acme', '--reason', 'INC-7');
  await openBreaker(store);
  await openBreaker(store, 'quiet');
  await run('breaker', 'reset', 'quiet');
  await closeGate(store);
  await parkJobs(store, 'breaker:bank', 2);
  const { stdout } = await run('status');
  expect(stdout.split('\n').slice(5, -1)).toEqual([
    'Stopped by a kill switch:',
    expect.stringMatching(/^ {2}the tenant acme: now by cli:.+, INC-7$/),
    '',
    'Breakers that are not closed:',
    'dependency  state  changed  failures  next probe  parked',
    'bank        open   now        7 of 5  in 30 s          2',
    '',
    'Closed gates:',
    'dependency  opens    closed  parked',
    'search      in 20 s  now          0',
    '',
    'Parked by cause:',
    'cause         since  jobs  next probe  waits for',
    'breaker:bank  now       2  in 30 s     the breaker of bank to close',
  ]);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    kill_switches: [{ scope: 'tenant', name: 'acme', why: 'INC-7' }],
    breakers: [{ policy_id: 'bank', state: 'open' }],
    gates: [{ dependency: 'search' }],
    parked: [{ cause: 'breaker:bank', count: 2 }],
  });
});

test('an empty store is no failure', async () => {
  const { store } = jobStore(virtualClock(START));
  const { exitCode, stdout } = await runMain(['status'], { store });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('There are no jobs yet.');
});

test('queue list: counts and pauses', async () => {
  const { run } = await withJobs();
  await run('queue', 'pause', 'later');
  await run('queue', 'pause', 'mail', '--handler');
  const { stdout } = await run('queue', 'list');
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'queue    scheduled  ready  parked  leased  succeeded  dead  cancelled',
    'default          1      1       0       0          1     0          0',
    'files            0      0       0       0          0     1          0',
    'later            0      0       0       0          0     0          0  paused',
  ]);
  expect(stdout).toMatch(/handler mail: now by cli:/);
  const { queues, paused } = JSON.parse((await run('queue', 'list', '--json')).stdout);
  expect(
    queues.map((each: { queue: string; paused: boolean }) => [each.queue, each.paused]),
  ).toEqual([
    ['default', false],
    ['files', false],
    ['later', true],
  ]);
  expect(paused).toHaveLength(2);
});

test('a pause of what no job has is said to be one: it may be a slip', async () => {
  const { run, jobs } = await withJobs();
  await jobs.enqueue('mail', {}, { queue: 'post' });
  const { exitCode, stderr } = await run('queue', 'pause', 'pots');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'No job has the queue pots; there are jobs of default, files, post.\n',
  });
  expect((await run('queue', 'pause', 'post')).stderr).toBe('');
});

test('a paused queue holds its jobs back until it is resumed', async () => {
  const { run, work, jobs } = await withJobs();
  expect((await run('queue', 'pause', 'default')).stdout).toBe('The queue default is paused.\n');
  expect((await run('queue', 'pause', 'default')).stdout).toContain('was paused already');
  const { id } = await jobs.enqueue('mail', {});
  await work(100);
  expect((await jobs.job(id))?.state).toBe('ready');
  const dry = await run('queue', 'resume', 'default', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toEqual({
    scope: 'queue',
    name: 'default',
    paused: true,
    changed: false,
    dry_run: true,
  });
  const resumed = await run('queue', 'resume', 'default', '--json');
  expect(JSON.parse(resumed.stdout)).toEqual({
    scope: 'queue',
    name: 'default',
    paused: false,
    changed: true,
    dry_run: false,
  });
  await work(100);
  expect((await jobs.job(id))?.state).toBe('succeeded');
});
