import type { WorkerReport } from '@redrive/durable/store';
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

test('status: the verdict, what fails by cause, what is stopped, workers, queues', async () => {
  const { run, clock } = await withJobs();
  await run('queue', 'pause', 'files', '--reason', 'moving house');
  await clock.advance(60_000);
  const { exitCode, stdout, stderr } = await run('status');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'No worker is running, and 2 jobs wait: 1 ready, 1 scheduled.',
    'mail has been failing for 1 min 1 s: 1 retrying. Last error: connection reset,',
    '  \\x1b[31mattempt 1.',
    'import has been failing for 1 min 1 s: 1 dead. Last error: the file is not',
    '  there.',
    expect.stringMatching(/^The queue files is paused, 1 min ago by cli:.+@.+: moving house\.$/),
    '',
    'memory  2027-01-31 08:01:01Z',
    '',
    'Failing now:',
    '  1  Error: connection reset, [<n>mattempt <n>',
    '     mail: 1 retrying',
    '     since 2027-01-31 08:00:00Z (1 min 1 s ago), last 1 min 1 s ago, 0.1/min',
    '     over 10 min',
    '     last error: Error: connection reset, \\x1b[31mattempt 1',
    expect.stringMatching(/^ {5}redrive jobs show 0\w+$/),
    '  1  returned final: the file is not there',
    '     import: 1 dead',
    '     since 2027-01-31 08:00:00Z (1 min 1 s ago), last 1 min 1 s ago, 0.1/min',
    expect.stringMatching(/^ {5}redrive dlq show 0\w+$/),
    '',
    'Stopped:',
    expect.stringMatching(/^ {2}the queue files: paused, 1 min ago by cli:.+@.+: moving house$/),
    '    redrive queues resume files',
    '',
    'No worker is running. To start one: redrive start,',
    'or jobsOn(…).start() in your application.',
    '',
    'queue    handler  scheduled  ready  parked  leased  succeeded  dead  cancelled',
    'default  mail             1      1       0       0          1     0          0',
    'files    import           0      0       0       0          0     1          0',
    'all                       1      1       0       0          1     1          0',
    'The oldest ready job was submitted 1 min ago.',
    '',
  ]);
});

test('status --json: the same as one document', async () => {
  const { run, store } = await withJobs();
  await run('queue', 'pause', 'files', '--reason', 'moving house');
  const json = JSON.parse((await run('status', '--json')).stdout);
  expect(json).toMatchObject({
    store: 'memory',
    time: '2027-01-31T08:00:01.100Z',
    ok: false,
    verdict: 'No worker is running, and 2 jobs wait: 1 ready, 1 scheduled',
    failing: [
      {
        pattern: 'Error: connection reset, [<n>mattempt <n>',
        last_error: { type: 'Error' },
        handlers: ['mail'],
        dependency: null,
        since: '2027-01-31T08:00:00.000Z',
        retrying: 1,
        parked: 0,
        dead: 0,
        per_minute: 0.1,
        next: expect.stringMatching(/^redrive jobs show /),
      },
      { handlers: ['import'], dead: 1, next: expect.stringMatching(/^redrive dlq show /) },
    ],
    failing_sampled: false,
    states: { scheduled: 1, ready: 1, succeeded: 1, dead: 1, leased: 0 },
    bounded: false,
    workers: [],
    without_worker: [{ handler: 'mail', ready: 1, scheduled: 1, queues: ['default'] }],
    dead: { count: 1, bounded: false },
    oldest_ready_at: '2027-01-31T08:00:01.100Z',
    handlers: [{ queue: 'default' }, { queue: 'files', states: { dead: 1 } }],
    paused: [{ scope: 'queue', name: 'files', why: 'moving house' }],
  });
  await store.reportWorker({ ...WORKER, handlers: ['mail'] });
  const { workers, without_worker } = JSON.parse((await run('status', '--json')).stdout);
  expect(workers).toMatchObject([{ name: 'w-1', running: 2, concurrency: 10, queues: null }]);
  expect(without_worker).toEqual([]);
});

const WORKER: WorkerReport = {
  ...{ name: 'w-1', host: 'host-1', pid: 7, version: '1.0.0', concurrency: 10, running: 2 },
  ...{ handlers: ['parked'], state: 'working' },
};

test('status: what is stopped and by whom, and the command that ends it', async () => {
  const { store, clock } = jobStore(virtualClock(START));
  const run = (...args: string[]) => runMain(args, { store, clock });
  await store.reportWorker(WORKER);
  await run('kill', 'engage', 'tenant', 'acme', '--reason', 'INC-7');
  await openBreaker(store);
  await openBreaker(store, 'quiet');
  await run('breaker', 'reset', 'quiet');
  await openBreaker(store, 'atm');
  await run('breaker', 'force-closed', 'atm', '--reason', 'INC-8');
  await closeGate(store);
  await parkJobs(store, 'breaker:bank', 2);
  await parkJobs(store, 'breaker:quiet', 1);
  const { stdout } = await run('status');
  const lines = stdout.split('\n');
  expect(lines.slice(lines.indexOf('Failing now:'), -2)).toEqual([
    'Failing now:',
    '  2  Error: connect ECONNREFUSED <addr>:443',
    '     parked at bank: 2 parked',
    '     since 2027-01-31 08:00:00Z (just now), last just now',
    '     last error: Error: connect ECONNREFUSED 10.0.0.7:443',
    '     redrive breakers show bank',
    '',
    'Stopped:',
    expect.stringMatching(/^ {2}the tenant acme: kill switch, just now by cli:.+: INC-7$/),
    '    redrive kill release tenant acme',
    '  bank: breaker open, 2 probes failed, the last just now, 2 parked; next probe',
    '    in 30 s',
    '    redrive breakers show bank',
    expect.stringMatching(/^ {2}atm: breaker forced closed, just now by cli:.+: INC-8$/),
    '    redrive breakers reset atm',
    '  search: rate-limited by the dependency, opens in 20 s',
    '    redrive gates release search',
    '  breaker:quiet: being released, 1 parked',
    '    redrive park list',
    '',
    'worker  running  last report  handlers',
    'w-1     2 of 10  now          parked',
    '',
    'queue    handler  scheduled  ready  parked  leased  succeeded  dead  cancelled',
  ]);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    kill_switches: [{ scope: 'tenant', name: 'acme', why: 'INC-7', waiting: null }],
    breakers: [{ policy_id: 'bank', state: 'open', last_error: { type: 'Error' } }, {}],
    gates: [{ dependency: 'search' }],
    parked: [{ cause: 'breaker:bank', count: 2 }, { cause: 'breaker:quiet' }],
  });
});

test('status: a worker that missed two reports is silent', async () => {
  const { store, clock } = jobStore(virtualClock(START));
  await store.reportWorker(WORKER);
  await clock.advance(39_000);
  const { stdout } = await runMain(['status'], { store, clock });
  expect(stdout).toMatch(/^w-1 +2 of 10 +39 s ago +silent for 39 s +parked$/m);
});

test('status says neither "being released" nor "next probe" where no live worker can do it', async () => {
  const { store, clock } = jobStore(virtualClock(START));
  const run = (...args: string[]) => runMain(args, { store, clock });
  await openBreaker(store);
  await parkJobs(store, 'breaker:bank', 2);
  await parkJobs(store, 'breaker:gone', 1);
  const { stdout } = await run('status');
  expect(stdout).not.toMatch(/being released|next probe/);
  expect(stdout).toMatch(
    /bank: breaker open, 2 probes failed, the last just now, 2 parked; no live\s+worker\s+can probe/,
  );
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'breaker:gone: the cause is gone, and no live worker can release the jobs, 1 parked',
  );
});

test('status: dead counts are red, and 0 is not', async () => {
  const { run } = await withJobs();
  const { store, clock } = await withJobs();
  const env = { FORCE_COLOR: '1' };
  const { stdout } = await runMain(['status'], { store, clock, env });
  const row = (name: string) => stdout.split('\n').find((line) => line.includes(name)) ?? '';
  expect(row('files ')).toContain('\x1b[31m   1\x1b[39m');
  expect(row('default ')).not.toContain('\x1b[31m');
  expect(stdout.startsWith('\x1b[31mNo worker is running')).toBe(true);
  expect((await run('status')).stdout).not.toContain('\x1b[31mNo');
});

test('an empty store is no failure', async () => {
  const { store } = jobStore(virtualClock(START));
  const { exitCode, stdout } = await runMain(['status'], { store });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Fine: there are no jobs yet\.\n/);
});

test('status --watch looks again every 2 s until a signal comes', async () => {
  const { store, clock, jobs } = await withJobs();
  let printed = '';
  let send: (signal: 'SIGINT') => void = () => {};
  const begun = Promise.withResolvers<void>();
  const ran = runMain(['status', '--watch'], {
    ...{ store, clock, stream: { isTTY: true, columns: 80, rows: 24 } },
    onStdout: (text) => {
      printed += text;
      if (printed.includes('mail')) begun.resolve();
    },
    onSignals: (sender) => {
      send = sender;
    },
  });
  await begun.promise;
  await clock.advance(10);
  expect(printed).toContain('2 jobs wait');
  await jobs.enqueue('mail', {});
  await clock.advance(2_000);
  expect(printed).toContain('3 jobs wait');
  expect(printed.split('\x1b[H\x1b[2J')).toHaveLength(3);
  send('SIGINT');
  await clock.advance(0);
  expect((await ran).exitCode).toBe(130);
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
  expect((await run('queue', 'pause', 'default')).stdout).toContain('was already paused');
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
