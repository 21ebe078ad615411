import {
  carryOutOperation,
  engageKill,
  pauseWork,
  releaseKill,
  submitOperation,
} from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import { withWorker } from '../testing/control-states.ts';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { requestText } from './operation-lines.ts';

async function setUp(count: number) {
  const all = await deadLetters(virtualClock(START), count);
  const { store, clock } = all;
  const ops = (args: string, options: RunOptions = {}) =>
    runMain(['ops', ...args.split(' ')], { store: withWorker(store), clock, ...options });
  const opsJson = async (args: string) => {
    const { exitCode, stdout } = await ops(`${args} --json`);
    return { exitCode, ...JSON.parse(stdout) };
  };
  /** Lets a command that waits go on, until it ends or its time is over. */
  const during = async <T>(running: Promise<T>, durationMs: number): Promise<T> => {
    let isOver = false;
    const ended = running.finally(() => {
      isOver = true;
    });
    for (let passedMs = 0; !isOver && passedMs < durationMs; passedMs += 50) {
      await clock.advance(50);
    }
    return ended;
  };
  return { ...all, ops, opsJson, during };
}

const DETACHED = 'requeue --all --yes --operation incident-7 --detach';

describe('an act that is detached', () => {
  test('is submitted, and says how to follow it', async () => {
    const { run, states } = await setUp(3);
    const { exitCode, stdout, stderr } = await run(`${DETACHED} --rate 50/s --reason INC-7`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^incident-7 {2}requeue running\n/);
    expect(stdout).toMatch(/ramp +1, 10, 100, all; now 1, 0 sent; stops when more than 20 %/);
    expect(stdout).toMatch(
      /what +all dead letters that died before 2027-01-31 08:00:06Z, at most\s+100,000,000\n/,
    );
    expect(stdout).toMatch(/rate +50\/s at most/);
    expect(stdout).toMatch(/runs in +no process: it waits for a worker, and none is alive/);
    expect(stderr).toContain('redrive ops watch incident-7');
    expect(await states()).toEqual(['dead', 'dead', 'dead']);
  });

  test('is listed, shown, paused, resumed, given another rate and aborted', async () => {
    const { run, ops, opsJson, clock } = await setUp(3);
    expect((await ops('list')).stdout).toMatch(/^There are no bulk operations\./);
    await run(`${DETACHED} --reason INC-7`);
    await clock.advance(5_000);
    expect((await ops('list')).stdout.split('\n')).toEqual([
      'id          act      state    begun      done   failed again  why',
      'incident-7  requeue  running  5 s ago  0 of 3  no result yet  INC-7',
      '',
    ]);
    expect(await opsJson('list')).toMatchObject({
      operations: [{ id: 'incident-7', state: 'running', done: 0, total: 3 }],
      next: null,
    });
    expect(await opsJson('show incident-7')).toMatchObject({
      act: 'requeue',
      why: 'INC-7',
      started_at: '2027-01-31T08:00:06.010Z',
      ramp: { stages: [1, 10, 100], stop_share: 0.2, stage: 1, sent: 0 },
      rate: null,
      request: { act: 'requeue', filter: {}, limit: 100_000_000 },
    });
    const paused = await ops('pause incident-7 --reason INC-8');
    expect(paused.stdout).toContain('requeue paused');
    expect(paused.stderr).toBe('To continue: redrive ops resume incident-7\n');
    expect(await opsJson('resume incident-7')).toMatchObject({ state: 'running' });
    // Every reason stays.
    const { why, changes } = await opsJson('show incident-7');
    expect([why, changes.map((change: { why: string }) => change.why)]).toEqual([
      'INC-7',
      ['INC-7', 'INC-8', null],
    ]);
    expect((await ops('list')).stdout).toContain('INC-8');
    expect((await ops('show incident-7')).stdout).toMatch(/paused +2027.*: INC-8\n +running +2027/);
    expect(await opsJson('set-rate incident-7 90/m')).toMatchObject({ rate: 1.5 });
    expect(await opsJson('set-rate incident-7 none')).toMatchObject({ rate: null });
    expect(await opsJson('abort incident-7')).toMatchObject({ state: 'aborted', exitCode: 0 });
    const { exitCode, stderr } = await ops('resume incident-7');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Bulk operation incident-7 is already aborted');
  });
});

describe('--dry-run', () => {
  test('says what would be, and does nothing', async () => {
    const { run, ops, opsJson, store } = await setUp(3);
    await run(DETACHED);
    const blocks = (await store.auditBlocks(0, 1_000)).length;
    const { exitCode, stdout, stderr } = await ops('pause incident-7 --dry-run');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Nothing was changed\. It would be:\nincident-7 {2}requeue paused\n/);
    expect((await ops('resume incident-7 --dry-run')).stdout).toMatch(
      /^Nothing was changed\. It would stay as it is:\nincident-7 {2}requeue running\n/,
    );
    const rate = { state: 'running', rate: 5, dry_run: true };
    expect(await opsJson('set-rate incident-7 5/s --dry-run')).toMatchObject(rate);
    const aborted = { state: 'aborted', dry_run: true };
    expect(await opsJson('abort incident-7 --dry-run')).toMatchObject(aborted);
    expect(await store.auditBlocks(0, 1_000)).toHaveLength(blocks);
    expect(await opsJson('show incident-7')).toMatchObject({ state: 'running', rate: null });
  });

  test.each(['pause', 'resume', 'set-rate', 'abort'])(
    'refuses what would be refused: %s',
    async (act) => {
      const { run, ops } = await setUp(1);
      await run('purge --all --yes --operation incident-7');
      const args = `${act} incident-7${act === 'set-rate' ? ' 5/s' : ''}`;
      const dry = await ops(`${args} --dry-run`);
      expect(dry).toEqual(await ops(args));
      expect(dry.exitCode).toBe(7);
      expect((await ops(args.replace('7', '6'))).exitCode).toBe(3);
    },
  );
});

test('another rate under the same id is not taken silently', async () => {
  const { run } = await setUp(3);
  const first = await run(`${DETACHED} --rate 50/s --ramp none --stop-on-failure-ratio 0.1`);
  expect(first.stderr).not.toContain('begun before');
  const second = await run(`${DETACHED} --rate 5/s --ramp 1`);
  expect(second.stderr).toContain(
    'It was started before with another --rate, --ramp, which stays in force. redrive ops set-rate incident-7 changes its rate.',
  );
  expect((await run(`${DETACHED} --rate 50/s`)).stderr).not.toContain('begun before');
});

test('one that Ctrl-C has stopped is paused, and can be aborted', async () => {
  const { run, opsJson, states } = await setUp(3);
  const left = await run('purge --all --yes --operation incident-7', {
    onSignals: (send) => send('SIGINT'),
  });
  expect(left.exitCode).toBe(130);
  expect(left.stderr).toContain('Ctrl-C: 0 dead letters were purged, 3 are left.');
  expect(await opsJson('show incident-7')).toMatchObject({ state: 'paused' });
  expect(await opsJson('abort incident-7')).toMatchObject({ state: 'aborted', exitCode: 0 });
  expect(await states()).toEqual(['dead', 'dead', 'dead']);
});

describe('a bulk operation in the foreground', () => {
  test('goes on to its end', async () => {
    const { run, during, states } = await setUp(3);
    const done = run('requeue --all --yes --ramp none --rate 1/s --operation incident-7 --json');
    const { exitCode, stdout } = await during(done, 10_000);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      operation: 'incident-7',
      done: 3,
      state: 'finished',
      finished: true,
      came_back: null,
    });
    expect(await states()).toEqual(['ready', 'ready', 'ready']);
  });

  test('Ctrl-C stops a purge also while a worker is alive; the command that it prints continues', async () => {
    const { run, during, jobs, clock, states, opsJson } = await setUp(5);
    await jobs.start();
    let interrupt = () => {};
    const onSignals: RunOptions['onSignals'] = (send) => {
      interrupt = () => send('SIGINT');
    };
    const purge = run('purge --all --yes --rate 1/s --operation incident-7', { onSignals });
    for (let passedMs = 0; passedMs < 1_500; passedMs += 50) await clock.advance(50);
    interrupt();
    const { exitCode, stdout, stderr } = await during(purge, 5_000);
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/^incident-7 {2}purge paused\n/);
    expect(stdout).toMatch(/done +2 of 5\n/);
    expect(stderr).toContain('Ctrl-C: it stops after this batch. Press it again to end at once.\n');
    expect(stderr).toContain(
      [
        'Ctrl-C: 2 dead letters were purged, 3 are left.',
        'To continue here: redrive dlq purge --operation incident-7',
        'To let workers continue: redrive ops resume incident-7',
        'To end it: redrive ops abort incident-7\n',
      ].join('\n'),
    );
    for (let passedMs = 0; passedMs < 20_000; passedMs += 500) await clock.advance(500);
    expect((await states()).filter((state) => state === 'purged')).toHaveLength(2);
    const again = await during(run('purge --operation incident-7'), 20_000);
    expect({ code: again.exitCode, states: await states() }).toEqual({
      code: 0,
      states: Array(5).fill('purged'),
    });
    expect(await opsJson('show incident-7')).toMatchObject({ state: 'finished', done: 5 });
    await during(jobs.stop({ mode: 'release', graceMs: 0 }), 2_000);
  });

  test('one that somebody has paused stays paused when its command is run again', async () => {
    const { run, ops, states } = await setUp(2);
    await run(DETACHED);
    await ops('pause incident-7 --reason INC-8');
    const again = await run('requeue --operation incident-7');
    expect(again.exitCode).toBe(5);
    expect(again.stderr).toContain('To continue: redrive ops resume incident-7');
    expect(await states()).toEqual(['dead', 'dead']);
  });

  test('Ctrl-C while another process carries it out stops only the watching', async () => {
    const { run, during, clock, opsJson } = await setUp(3);
    const purge = 'purge --all --yes --rate 1/s --operation incident-7';
    const first = run(purge);
    for (let passedMs = 0; passedMs < 500; passedMs += 50) await clock.advance(50);
    const watching = run(purge, { onSignals: (send) => send('SIGINT') });
    const { exitCode, stderr } = await during(watching, 5_000);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('To stop it: redrive ops pause incident-7');
    expect(await opsJson('show incident-7')).toMatchObject({ state: 'running' });
    expect((await during(first, 10_000)).exitCode).toBe(0);
  });

  test('stopped by Ctrl-C, its ramp holds when it continues', async () => {
    const { run, during, states } = await setUp(3);
    const stopped = run('requeue --all --yes --ramp 1 --operation incident-7', {
      onSignals: (send) => send('SIGINT'),
    });
    const { exitCode, stderr } = await during(stopped, 5_000);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('To continue here: redrive dlq requeue --operation incident-7\n');
    const before = (await states()).filter((state) => state === 'ready').length;
    expect(before).toBeLessThanOrEqual(1);
    // Without its options: its ramp holds all the same.
    const again = run('requeue --operation incident-7', { onSignals: (send) => send('SIGINT') });
    await during(again, 5_000);
    expect((await states()).filter((state) => state === 'ready').length).toBeLessThanOrEqual(1);
  });

  test('jobs that fail again stop the ramp, and it says so', async () => {
    const { run, during, jobs, states } = await setUp(15);
    await jobs.start();
    const acted = run('requeue --all --yes --ramp 1,10 --operation incident-7');
    const { exitCode, stdout, stderr } = await during(acted, 30_000);
    const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
    await during(stopped, 2_000);
    expect(exitCode).toBe(5);
    expect(stdout).toMatch(/^incident-7 {2}requeue stopped\n/);
    expect(stdout).toMatch(/failed again +100 %, 1 of 1/);
    expect(stderr).toMatch(
      /Too many jobs failed again \(more than 20 %\): the requeue has stopped\./,
    );
    expect((await states()).filter((state) => state !== 'dead').length).toBeLessThanOrEqual(1);
  });

  test('a ramp without a worker that has the handler shows progress, and says that the jobs wait', async () => {
    const { run, during, states, ops, clock, store } = await setUp(3);
    let interrupt: () => void = () => {};
    const waiting = run('requeue --all --yes --ramp 1,10 --operation incident-7', {
      onSignals: (send) => {
        interrupt = () => send('SIGINT');
      },
    });
    for (let passedMs = 0; passedMs < 20_000; passedMs += 50) await clock.advance(50);
    const { stdout: shown } = await ops('show incident-7', { store });
    interrupt();
    const { exitCode, stderr, stdout } = await during(waiting, 5_000);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('3 dead letters will be requeued.');
    expect(stderr).toContain(
      'requeue 1 of 3 sent, 0 succeeded, 0 failed again, 1 waiting, stage of 1\n',
    );
    const text = 'no live worker has import. To let them start: redrive start';
    expect(stderr.match(/They (will )?wait: no live worker has import/g)).toEqual([
      'They will wait: no live worker has import',
      'They wait: no live worker has import',
    ]);
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(`stopped by ${text}`);
    for (const all of [stderr, stdout, shown]) expect(all).not.toMatch(/would|time left|\d s left/);
    expect(await states()).toEqual(['ready', 'dead', 'dead']);
  });

  test.each([
    ['', []],
    [' --rate 50/s', ['they are requeued without stages']],
  ])(
    'requeue --handler x --yes%s without a worker requeues here, and says that no worker has the handler',
    async (option, [stages = '']) => {
      const { run, during, states } = await setUp(3);
      const running = run(`requeue --handler import --yes --operation incident-7${option}`);
      const { exitCode, stdout, stderr } = await during(running, 20_000);
      expect({ exitCode, states: await states() }).toEqual({
        exitCode: 0,
        states: ['ready', 'ready', 'ready'],
      });
      expect(stdout).toContain('3 dead letters were requeued.');
      expect(stderr).toContain('They will wait: no live worker has import.');
      expect(stderr).toContain(stages);
    },
  );

  test.each([
    ['requeue --all --yes --rate fast', '--rate is not a rate: fast'],
    ['requeue --all --yes --ramp 1;2', '--ramp is not a ramp: 1;2'],
    ['requeue --all --yes --stop-on-failure-ratio 20', 'is not a share: 20'],
    ['requeue --all --yes --max-in-flight 0', '--max-in-flight must be a whole number'],
    ['purge --all --yes --ramp 1', 'unknown option'],
  ])('a wrong option is refused: %s', async (args, message) => {
    const { run } = await setUp(0);
    const { exitCode, stderr } = await run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('a plan and a bulk operation name what stops its jobs, with the command that lets them start', async () => {
  const { run, during, ops, opsJson, store, clock } = await setUp(2);
  const alive = withWorker(store);
  const ann = { name: 'ann', why: 'INC-8' };
  await pauseWork(store, { scope: 'queue', name: 'default', actor: ann });
  await engageKill(store, { scope: 'operation', name: 'import', actor: { name: 'bob' } });
  const { stdout } = await run('requeue --all --dry-run', { store: alive });
  const lines = stdout.replaceAll(/\s+/g, ' ');
  const stops = [
    'a kill switch on the handler import since 2027-01-31 08:00:04Z, bob. To let them start: redrive kill release handler import',
    'the pause of the queue default since 2027-01-31 08:00:04Z, ann: INC-8. To let them start: redrive queues resume default',
  ];
  for (const stop of stops) expect(lines).toContain(`They would wait: ${stop}`);
  await run(DETACHED, { store: alive });
  const stop = new AbortController();
  const sent = carryOutOperation(store, 'incident-7', { clock, signal: stop.signal });
  for (let passedMs = 0; passedMs < 3_000; passedMs += 50) await clock.advance(50);
  const shown = (await ops('show incident-7')).stdout.replaceAll(/\s+/g, ' ');
  for (const stop of stops) expect(shown).toContain(`stopped by ${stop}`);
  await releaseKill(store, { scope: 'operation', name: 'import', actor: ann });
  const { stopped_by } = await opsJson('show incident-7');
  expect(stopped_by).toEqual([
    {
      kind: 'pause',
      what: 'the pause of the queue default',
      since: expect.stringMatching(/^2027-01-31T08:00/),
      ...{ by: 'ann', why: 'INC-8', next: 'redrive queues resume default' },
    },
  ]);
  stop.abort();
  await during(sent, 5_000).catch(() => {});
});

test('many letters at once: the consent asks for a ramp', async () => {
  const { jobs, run, clock } = await setUp(0);
  await jobs.enqueueMany('import', [...Array(101).keys()]);
  await jobs.start();
  await clock.advance(5_000);
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  await clock.advance(1_000);
  await stopped;
  const { exitCode, stderr } = await run('requeue --all');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('With --ramp 1,10,100 it begins with one');
  expect((await run('requeue --all --ramp 1')).stderr).not.toContain('With --ramp');
});

test('what somebody has written into an operation reaches no terminal as control characters', async () => {
  const { store, ops, during } = await setUp(0);
  const request = JSON.stringify({ act: '\x1b[2J\u202Eevil' });
  await store.beginOperation({ id: 'odd', request, actor: { name: 'eve' } });
  const stream = { isTTY: true, columns: 100 };
  const watching = ops('watch odd --timeout 1s', { stream });
  const all = [await ops('show odd'), await ops('list'), await during(watching, 5_000)];
  const text = all.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(text).toContain('\\x1b[2J\\u202eevil');
  expect(text).not.toMatch(/\p{Bidi_Control}/u);
  expect(text).not.toContain('\x1b[2J');
});

describe('watch', () => {
  test('follows an operation to its end', async () => {
    const { run, ops, during, clock } = await setUp(3);
    await run('purge --all --yes --operation incident-7 --rate 1/s --detach');
    const working = run('purge --operation incident-7');
    const { exitCode, stdout } = await during(ops('watch incident-7 --json'), 20_000);
    await during(working, 5_000);
    expect(exitCode).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(0)).toMatchObject({ state: 'running', rate: 1 });
    expect(lines.at(-1)).toMatchObject({ state: 'finished', done: 3 });
    expect(clock.now()).toBeGreaterThan(START.startMs);
  });

  test('shows progress, rate, time left and what came back on a terminal', async () => {
    const { run, ops, during } = await setUp(3);
    await run('purge --all --yes --operation incident-7 --rate 1/s --detach');
    const working = run('purge --operation incident-7');
    const stream = { isTTY: true, columns: 100 };
    const { stderr } = await during(ops('watch incident-7', { stream }), 20_000);
    await during(working, 5_000);
    expect(stderr).toMatch(/purge 1 of 3, .*\/s, \d+ s left/);
  });

  test('ends with Ctrl-C, and says that the operation goes on', async () => {
    const { run, ops, during } = await setUp(1);
    await run(DETACHED);
    const watching = ops('watch incident-7', { onSignals: (send) => send('SIGINT') });
    const { exitCode, stderr } = await during(watching, 5_000);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('To stop it: redrive ops pause incident-7');
  });

  test('ends in time, while the operation is paused', async () => {
    const { run, ops, during } = await setUp(1);
    await run(DETACHED);
    await ops('pause incident-7');
    const { exitCode } = await during(ops('watch incident-7 --timeout 3s'), 10_000);
    expect(exitCode).toBe(124);
  });
});

test.each([
  [{ ids: { count: 1, sha256: 'x' } }, '1 job by its id'],
  [{ ids: { count: 12, sha256: 'x' } }, '12 jobs by their ids'],
  [
    { filter: { handler: 'mail', tag: 'a b' }, limit: 5_000 },
    'dead letters with handler mail, tag a b, at most 5,000',
  ],
  [
    { jobs: { states: ['ready', 'parked'] }, cutOffMs: START.startMs, limit: 1 },
    'jobs with states ready/parked that were submitted before 2027-01-31 08:00:00Z, at most 1',
  ],
  [{ odd: true }, '{"odd":true}'],
  // A store takes any JSON.
  [{ ids: null }, '{"ids":null}'],
  [{ filter: 1 }, '{"filter":1}'],
  [{ filter: {}, cutOffMs: 1e99 }, '{"filter":{},"cutOffMs":1e+99}'],
  [{ jobs: {}, limit: null }, '{"jobs":{},"limit":null}'],
])('what an operation is about, in words: %j', (request, text) => {
  expect(requestText(request)).toBe(text);
});

test('an operation that is not there is answered with the nearest one', async () => {
  const { store, ops } = await setUp(0);
  const about = { id: 'incident-7', actor: { name: 'eve' } };
  await submitOperation(store, { ...about, act: 'reset', target: { ids: ['x'] } });
  for (const act of ['show', 'watch', 'pause', 'abort']) {
    const { exitCode, stderr } = await ops(`${act} incident-6`);
    expect(exitCode).toBe(3);
    expect(stderr).toBe(
      'redrive: There is no bulk operation incident-6.\nDid you mean incident-7?\n',
    );
  }
});
