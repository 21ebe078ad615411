import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { engageKill, pauseWork } from '@redrive/durable/control';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { CONFIG, linesOf, POLICIES, workerPlace } from '../testing/worker-place.ts';

const setUp = (config?: string) => workerPlace(onTestFinished, config);

describe('until idle', () => {
  test('ends with a paused queue and a stopped tenant, and says what it left and why', async () => {
    const { client, start, store } = setUp();
    const actor = { name: 'eve', why: 'INC-7' };
    await pauseWork(store, { scope: 'queue', name: 'slow', actor });
    await engageKill(store, { scope: 'tenant', name: 'acme', actor });
    await client.enqueueMany('mail', [{}, {}], { queue: 'slow' });
    await client.enqueue('mail', {}, { queue: 'slow', delayMs: 86_400_000 });
    await client.enqueue('plain', {}, { tenant: 'acme' });
    const done = await client.enqueue('mail', {}, { tenant: 'other' });
    const ran = await start(['--until-idle']);
    expect(await client.job(done.id)).toMatchObject({ state: 'succeeded' });
    const lines = linesOf(ran).filter(({ event }) => event.startsWith('idle'));
    expect(lines.map(({ msg }) => msg).toSorted()).toEqual([
      '1 job is left in default for the handler plain, stopped by the kill switch tenant:acme, by eve: INC-7',
      '3 jobs are left in slow for the handler mail, stopped by a pause of queue:slow, by eve: INC-7',
      'No job can run, 4 left: 1 succeeded, 0 died',
    ]);
    expect(ran.exitCode).toBe(5);
  });

  test('waits for a job that can run, also beside a paused queue', async () => {
    const { client, start, store } = setUp();
    await pauseWork(store, { scope: 'queue', name: 'slow', actor: { name: 'eve' } });
    await client.enqueue('mail', {}, { queue: 'slow' });
    const later = await client.enqueue('mail', {}, { delayMs: 1_500 });
    expect((await start(['--until-idle'])).exitCode).toBe(5);
    expect(await client.job(later.id)).toMatchObject({ state: 'succeeded' });
  });

  test('runs modules and commands, and ends with 0', async () => {
    const { client, start, directory } = setUp();
    const mail = await client.enqueue('mail', { failures: 2 });
    const plain = await client.enqueue('plain', {});
    const shell = await client.enqueue('shell', { a: 1 });
    const ran = await start(['--until-idle']);
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await client.wait(mail)).toEqual({
      attempt: 3,
      lastError: { type: 'Error', message: 'connection reset' },
    });
    expect(await client.wait(plain)).toBe('default export');
    const where = directory.split('/').at(-1);
    expect(await client.wait(shell)).toEqual([{ a: 1 }, 'hey', where]);
  });

  test('a command and a module take many jobs in one call', async () => {
    const config = `version: "1.1.0"
jobs:
  handlers:
    shell: { command: ["./lines.sh"], idempotent: true, up_to: 3, wait_seconds: 5 }
    plain: { module: ./list.mjs, idempotent: true, up_to: 3 }
`;
    const { client, start, directory } = setUp(config);
    const lines = await client.enqueueMany('shell', [{}, {}, {}]);
    const list = await client.enqueueMany('plain', [{}, {}, {}]);
    const answer = `sed 's/.*"job_id":"\\([^"]*\\)".*/{"job_id":"\\1","result":"of 3"}/'`;
    writeFileSync(join(directory, 'lines.sh'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const module = 'export default { runMany: (jobs) => jobs.map(() => "of " + jobs.length) };';
    writeFileSync(join(directory, 'list.mjs'), module);
    expect((await start(['--until-idle'])).exitCode).toBe(0);
    for (const job of [...lines, ...list]) expect(await client.wait(job)).toBe('of 3');
  });

  test('a dead_handler gets the dead letter, also of a job that "jobs enqueue" stored', async () => {
    const config = `version: "1.1.0"
policies: { once: { extends: runs.default, max_attempts: 1 } }
jobs:
  handlers:
    pay: { command: ["false"], policy: once, dead_handler: refund }
    refund: { module: ./refund.mjs }
`;
    const { start, directory, store } = setUp(config);
    const module = 'export default (letter) => [letter.service_name, letter.original_event.order];';
    writeFileSync(join(directory, 'refund.mjs'), module);
    const enqueue = ['jobs', 'enqueue', 'pay', '--payload', '{"order":7}'];
    expect((await runMain(enqueue, { directory, store, clock: systemClock })).exitCode).toBe(0);
    await start(['--until-idle']);
    const { jobs } = await store.jobs({ handler: 'refund' }, { limit: 10 });
    expect(jobs.map(({ state }) => state)).toEqual(['succeeded']);
    expect((await store.job(jobs[0]?.id ?? ''))?.result).toBe('["pay",7]');
  });

  test('deletes what retention no longer keeps before it ends', async () => {
    const { client, start, store } = setUp(`${CONFIG}  retention: { succeeded: 0.001 }\n`);
    const first = await client.enqueue('mail', {});
    await start(['--until-idle']);
    await client.enqueue('mail', {});
    await start(['--until-idle']);
    expect(await store.job(first.id)).toBeUndefined();
  });

  test('says what happens: the first attempt and retries, waits, success after a retry', async () => {
    const { client, start } = setUp();
    const { id } = await client.enqueue('mail', { failures: 2 });
    const lines = linesOf(await start(['--until-idle'])).filter(({ job }) => job === id);
    expect(lines.map(({ level, event, msg }) => [level, event, msg])).toEqual([
      ['info', 'attempt.started', 'Initial attempt started'],
      [
        'info',
        'retry.scheduled',
        'Retry scheduled: attempt 2 in 10 ms (retryable_error): connection reset',
      ],
      ['info', 'retry.started', 'Retry started: attempt 2, after a wait of 10 ms'],
      [
        'info',
        'retry.scheduled',
        'Retry scheduled: attempt 3 in 10 ms (retryable_error): connection reset',
      ],
      ['info', 'retry.started', 'Retry started: attempt 3, after a wait of 10 ms'],
      ['info', 'retry.succeeded', 'Retry succeeded: attempt 3'],
    ]);
    expect(lines[1]).toMatchObject({
      handler: 'mail',
      attempt: 1,
      max_attempts: 3,
      next_attempt: 2,
      delay_ms: 10,
      reason: 'retryable_error',
      error: 'Error: connection reset',
    });
  });

  test('ends with 5 when something died, and says that the limit is reached', async () => {
    const { client, start } = setUp();
    const { id } = await client.enqueue('mail', { failures: 9 });
    const ran = await start(['--until-idle']);
    expect(ran.exitCode).toBe(5);
    const last = linesOf(ran).findLast(({ job }) => job === id);
    expect(last).toMatchObject({
      level: 'error',
      event: 'retry.exhausted',
      msg: 'Gave up after 3 of 3 attempts: connection reset',
    });
    expect(linesOf(ran)).toContainEqual(
      expect.objectContaining({ event: 'idle', died: 1, succeeded: 0 }),
    );
  });

  test('only the queues that are asked for', async () => {
    const { client, start } = setUp();
    const other = await client.enqueue('plain', {}, { queue: 'other' });
    const own = await client.enqueue('plain', {}, { queue: 'own' });
    expect((await start(['--until-idle', '--queue', 'own'])).exitCode).toBe(0);
    expect([await client.job(own.id), await client.job(other.id)]).toMatchObject([
      { state: 'succeeded' },
      { state: 'ready' },
    ]);
  });

  test('on a terminal the log is for people', async () => {
    const { client, start } = setUp();
    await client.enqueue('mail', { failures: 1 });
    const { stdout } = await start(['--until-idle'], { stream: { isTTY: true } });
    expect(stdout).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}mail \S+ Retry scheduled: attempt 2 in 10 ms/m,
    );
  });

  test('--log-level keeps it quiet', async () => {
    const { client, start } = setUp();
    await client.enqueue('mail', { failures: 1 });
    expect((await start(['--until-idle', '--log-level', 'error'])).stdout).toBe('');
  });
});

describe('a start that cannot work', () => {
  test.each<[string, string, RegExp]>([
    [
      'no handlers',
      POLICIES,
      /redrive\.yaml has no handlers.*\nDeclare them under jobs\.handlers.* with jobsOn\(…\)\.start\(\)/,
    ],
    [
      'every problem of handlers at once, with its line',
      `version: "1.1.0"
jobs:
  handlers:
    a: { module: ./gone.mjs, idempotent: true }
    b: { module: ./handlers.mjs, export: mial, idempotent: true }
    c: { module: ./handlers.mjs, export: notAHandler, idempotent: true }
    d: { command: ["./gone.sh"], idempotent: true }
    e: { command: ["no-such-program-anywhere"], idempotent: true }
    f: { idempotent: true }
    g: { module: ./handlers.mjs, export: mail, idempotent: true, up_to: 5 }
    h: { http: { url: "https://a.example/" }, idempotent: true, wait_seconds: 1 }
  http: { targets: [a.example] }
`,
      new RegExp(
        [
          'Handlers cannot be loaded\\.',
          'redrive\\.yaml:4: a needs the module \\./gone\\.mjs, which does not exist \\(.*\\)',
          'redrive\\.yaml:5: \\./handlers\\.mjs has no export mial for b; did you mean mail\\?',
          'redrive\\.yaml:6: notAHandler of \\./handlers\\.mjs is neither a function nor .*',
          'redrive\\.yaml:7: the program \\./gone\\.sh of d is not there.*',
          'redrive\\.yaml:8: the program no-such-program-anywhere of e is not there.*PATH.*',
          'redrive\\.yaml:9: f has neither a command nor a module.*',
          'redrive\\.yaml:10: g has up_to, and mail of \\./handlers\\.mjs has no function `runMany`',
          'redrive\\.yaml:11: h has up_to, and a handler with http sends one job per request',
        ].join('\\n'),
      ),
    ],
    [
      'an invalid file',
      'version: "1.1.0"\njobs: { concurency: 3 }\n',
      /did you mean concurrency\?/,
    ],
  ])('%s', async (_, config, message) => {
    const { start } = setUp(config);
    const { exitCode, stderr } = await start(['--until-idle']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });

  test('options that a module gives its handler are no wrong usage', async () => {
    const { start, directory } = setUp();
    const text = 'export const mail = () => 1; export default { run: () => 1, concurrency: 0 };';
    writeFileSync(join(directory, 'handlers.mjs'), text);
    const { exitCode, stderr } = await start(['--until-idle']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('concurrency must be');
  });

  test('a module that throws says what it threw', async () => {
    const { start, directory } = setUp();
    writeFileSync(join(directory, 'handlers.mjs'), 'throw new Error("no database");');
    const { stderr } = await start(['--until-idle']);
    expect(stderr).toMatch(
      /redrive\.yaml:6: the module \.\/handlers\.mjs of mail cannot be loaded: no database/,
    );
  });

  test.each([
    [['--concurrency', '0'], /--concurrency must be/],
    [['--health-port', '99999'], /--health-port must be/],
    [['--grace', 'soon'], /--grace is not a duration: soon/],
    [['--demo', '--config', 'x'], /cannot be used with option/],
  ])('%j is wrong usage', async (args, message) => {
    const { exitCode, stderr } = await setUp().start(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
