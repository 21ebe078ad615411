import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import type { Store } from '@redrive/durable/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StopSignal } from '../terminal/signals.ts';
import { brokenStore } from '../testing/job-store.ts';
import { type Ran, type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const HANDLERS = `
export const mail = async ({ failures = 0 }, { attempt, lastError }) => {
  if (attempt <= failures) throw new Error('connection reset');
  return { attempt, lastError };
};
export default { run: async () => 'default export', idempotent: true };
export const notAHandler = 7;
export const bad = async () => { throw new TypeError('a slip'); };
`;

const POLICIES = `version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: 3, backoff_type: fixed, base_delay: 0.01, max_delay: 1, jitter_type: none }
`;

const CONFIG = `${POLICIES}jobs:
  handlers:
    mail: { module: "./handlers.mjs", export: mail, policy: quick, idempotent: true }
    plain: { module: handlers.mjs, idempotent: true }
    shell: { command: ["./shout.sh", "hey"], policy: quick, idempotent: true }
`;

const SCRIPT = '#!/bin/sh\nread payload\necho "[$payload, \\"$1\\", \\"$(basename $PWD)\\"]"\n';

function setUp(config = CONFIG) {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': config,
    'handlers.mjs': HANDLERS,
    'shout.sh': SCRIPT,
  });
  chmodSync(join(directory, 'shout.sh'), 0o755);
  const store = memoryStore();
  const client = jobsOn(store, {
    mail: (_: object) => {},
    plain: (_: object) => {},
    shell: (_: object) => {},
  });
  const env = { PATH: process.env.PATH };
  const start = (args: string[], options: RunOptions = {}) =>
    runMain(['start', ...args], { store, directory, env, ...options });
  return { directory, store, client, start };
}

interface Line {
  readonly level: string;
  readonly event: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const linesOf = ({ stdout }: Pick<Ran, 'stdout'>): Line[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('until idle', () => {
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
      msg: 'Limit reached: given up after attempt 3, of 3 that count: connection reset',
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
    ['no handlers', POLICIES, /redrive\.yaml has no handlers.*\nDeclare them under jobs\.handlers/],
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
`,
      new RegExp(
        [
          'Handlers cannot be loaded\\.',
          'redrive\\.yaml:4: a needs the module \\./gone\\.mjs, which is not there \\(.*\\)',
          'redrive\\.yaml:5: \\./handlers\\.mjs has no export mial for b; did you mean mail\\?',
          'redrive\\.yaml:6: notAHandler of \\./handlers\\.mjs is neither a function nor .*',
          'redrive\\.yaml:7: the program \\./gone\\.sh of d is not there.*',
          'redrive\\.yaml:8: the program no-such-program-anywhere of e is not there.*PATH.*',
          'redrive\\.yaml:9: f has neither a command nor a module.*',
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
    [['--grace', 'soon'], /--grace is no duration: soon/],
    [['--demo', '--until-idle'], /cannot be used with option/],
  ])('%j is wrong usage', async (args, message) => {
    const { exitCode, stderr } = await setUp().start(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});

/** Starts a worker, gives what it prints as it comes, and stops it at the end of the test. */
function running(
  { start }: Pick<ReturnType<typeof setUp>, 'start'>,
  args: string[],
  options: RunOptions = {},
) {
  let send: (signal: StopSignal) => void = () => {};
  let printed = '';
  const exits: number[] = [];
  const ran = start([...args, '--json'], {
    ...options,
    onSignals: (sender) => {
      send = sender;
    },
    onStdout: (text) => {
      printed += text;
    },
    onExit: (code) => exits.push(code),
  });
  onTestFinished(async () => {
    send('SIGTERM');
    send('SIGTERM');
    await ran;
  });
  const lines = () => (printed === '' ? [] : linesOf({ stdout: printed }));
  return {
    ran,
    exits,
    lines,
    signal: (signal: StopSignal) => send(signal),
    /** The first line about this, now or later. */
    line: (event: string) => until(() => lines().find((line) => line.event === event)),
  };
}

/** Looks again and again, because a log tells nobody that it has grown. Gives up, so that a failing test ends. */
async function until<T>(look: () => T | undefined): Promise<T> {
  const startMs = systemClock.monotonic();
  while (systemClock.monotonic() - startMs < 20_000) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => systemClock.setTimer(5, resolve));
  }
  throw new Error('It did not happen');
}

const SLOW = `${POLICIES}jobs:
  grace_seconds: 20
  handlers:
    slow: { module: "./slow.mjs", policy: quick, idempotent: true }
`;

const SLOW_HANDLER = `
export default (payload, { signal }) => new Promise((resolve, reject) => {
  globalThis.endSlowJob = () => resolve('done');
  if (!payload.deaf) signal.addEventListener('abort', () => reject(signal.reason));
});
`;

async function slowJob(payload: object) {
  const all = setUp(SLOW);
  writeFileSync(join(all.directory, 'slow.mjs'), SLOW_HANDLER);
  const client = jobsOn(all.store, { slow: (_: object) => {} });
  const { id } = await client.enqueue('slow', payload);
  return { ...all, client, id };
}

describe('signals', () => {
  test('the first one lets running jobs end, and the exit code is 0', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    // The module is the handler's own: this is how its job is told to end.
    Object(globalThis).endSlowJob();
    expect((await worker.ran).exitCode).toBe(0);
    expect((await all.client.job(all.id))?.state).toBe('succeeded');
    expect(worker.lines().at(-1)).toMatchObject({ event: 'worker.stopped', abandoned: 0 });
  });

  test('when the grace time is over, jobs are given back at no cost', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off', '--grace', '50ms']);
    await worker.line('attempt.started');
    worker.signal('SIGINT');
    expect((await worker.ran).exitCode).toBe(0);
    const job = await all.client.job(all.id);
    expect(job).toMatchObject({ state: 'ready', reason: 'interrupted', retryCount: 0 });
  });

  test('a second one gives them back at once, and ends with 130', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    worker.signal('SIGTERM');
    expect((await worker.ran).exitCode).toBe(130);
    expect((await all.client.job(all.id))?.state).toBe('ready');
  });

  test('a job that does not listen is left behind, and the process ends all the same', async () => {
    const all = await slowJob({ deaf: true });
    const worker = running(all, ['--health-port', 'off', '--grace', '10ms']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    expect((await worker.ran).exitCode).toBe(5);
    expect(worker.exits).toEqual([5]);
    Object(globalThis).endSlowJob();
  });

  test('one before it was idle ends --until-idle with 130', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--until-idle', '--grace', '10ms']);
    await worker.line('attempt.started');
    worker.signal('SIGINT');
    expect((await worker.ran).exitCode).toBe(130);
  });
});

describe('health', () => {
  const get = async (port: unknown, path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };

  test('live and ready while it works; not ready while it stops', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', '0']);
    const { port } = await worker.line('health.listening');
    await worker.line('attempt.started');
    expect(await get(port, '/livez')).toEqual([200, 'ok\n']);
    expect(await get(port, '/readyz')).toEqual([200, 'ok\n']);
    expect(await get(port, '/readyz?verbose')).toEqual([200, '[+]worker ok\n[+]store ok\nok\n']);
    expect((await get(port, '/metrics'))[0]).toBe(404);
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    expect(await get(port, '/readyz')).toEqual([503, '[-]worker stopping\nnot ready\n']);
    expect(await get(port, '/livez')).toEqual([200, 'ok\n']);
    Object(globalThis).endSlowJob();
    await worker.ran;
    await expect(get(port, '/livez')).rejects.toThrow();
  });

  test('not ready when the store does not answer', async () => {
    const all = setUp();
    let away = false;
    const store: Store = {
      ...all.store,
      pulse: (handlers) => (away ? brokenStore(all.store) : all.store).pulse(handlers),
    };
    const worker = running(all, ['--health-port', '0'], { store });
    const { port } = await worker.line('health.listening');
    away = true;
    expect(await get(port, '/readyz')).toEqual([503, '[-]store The store is away\nnot ready\n']);
    expect((await get(port, '/livez'))[0]).toBe(200);
  });

  test('a port that was named must be had; the default one is left to who has it', async () => {
    const first = running(setUp(), ['--health-port', '0']);
    const { port } = await first.line('health.listening');
    const named = await setUp().start(['--health-port', String(port)]);
    expect(named.exitCode).toBe(1);
    expect(named.stderr).toMatch(/Health cannot be served on port \d+: .*EADDRINUSE/);
    const inFile = `${CONFIG}  health_port: ${port}\n`;
    const second = running(setUp(inFile), []);
    expect(await second.line('health.unavailable')).toMatchObject({ level: 'warn', port });
    await second.line('worker.started');
  });
});

describe('reload', () => {
  test('a changed policy reaches what waits; a bad file leaves the last good one in force', async () => {
    const all = setUp(CONFIG.replace('base_delay: 0.01', 'base_delay: 0.5'));
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('worker.started');
    const write = (text: string) => writeFileSync(join(all.directory, 'redrive.yaml'), text);
    write('version: "1.1.0"\npolicies: { quick: { max_attempts: 0 } }\n');
    const problem = await worker.line('config.problem');
    expect(problem).toMatchObject({ level: 'error', file: 'redrive.yaml' });
    expect(problem.msg).toContain('the last good configuration stays in force');
    const kept = await all.client.enqueue('mail', { failures: 9 });
    expect(await worker.line('retry.scheduled')).toMatchObject({ job: kept.id, max_attempts: 3 });
    write(
      CONFIG.replace('max_attempts: 3', 'max_attempts: 1').replace(
        'handlers:',
        'concurrency: 7\n  handlers:',
      ),
    );
    expect((await worker.line('config.changed')).msg).toMatch(/quick\.max_attempts: 3 → 1/);
    expect(await worker.line('config.needs_restart')).toMatchObject({
      paths: ['jobs.concurrency'],
    });
    // It waits for its second attempt, which the new policy does not allow any more.
    await worker.line('retry.exhausted');
    const blocks = await all.store.auditBlocks(0, 100);
    const notes = blocks
      .flatMap(({ body }) => JSON.parse(body))
      .filter(([, , event]) => event === 'config');
    expect(notes).toHaveLength(1);
    expect(notes[0]?.[0]).toBe('redrive.yaml');
  });
});
