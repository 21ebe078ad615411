import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

// Real workers on a real store, over what `tsc -b` has built.
vi.setConfig({ testTimeout: 120_000 });
const launcher = fileURLToPath(new URL('../../bin/redrive.cjs', import.meta.url));

const CONFIG = `version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: 3, backoff_type: fixed, base_delay: 0.02, max_delay: 1, jitter_type: none }
jobs:
  lease_seconds: 5
  handlers:
    flaky: { command: ["./flaky.sh"], policy: quick, idempotent: true }
    slow: { module: ./slow.mjs, policy: quick, idempotent: true }
`;

/** Fails with the exit code of its payload, until the attempt that its payload names. */
const FLAKY = `#!/bin/sh
read code attempt
if [ "$REDRIVE_ATTEMPT" -lt "\${attempt:-99}" ]; then echo "no luck in attempt $REDRIVE_ATTEMPT" >&2; exit "$code"; fi
echo "{\\"job\\": \\"$REDRIVE_JOB_ID\\", \\"attempt\\": $REDRIVE_ATTEMPT}"
`;

/** Ends when its file is there. */
const SLOW = `import { existsSync, watch } from 'node:fs';
export default () => new Promise((resolve) => {
  const watcher = watch('.', () => { if (existsSync('go')) { watcher.close(); resolve('went'); } });
});
`;

function setUp() {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': CONFIG,
    // The payload is JSON; a text of two words is easy to read for a shell.
    'flaky.sh': FLAKY.replace('read code attempt', "read code attempt <<END\n$(tr -d '\"')\nEND"),
    'slow.mjs': SLOW,
  });
  chmodSync(join(directory, 'flaky.sh'), 0o755);
  const env = { ...process.env, REDRIVE_STORE: 'sqlite:./jobs.db' };
  const spawnStart = (args: readonly string[]) => {
    const child = spawn(process.execPath, [launcher, 'start', ...args], { cwd: directory, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  // The other commands run here, on the same file: starting a process for each takes long on a busy machine.
  const redrive = (...args: string[]) => runMain(args, { directory, env });
  return {
    directory,
    redrive,
    start: (...args: string[]) => {
      const child = spawnStart(args);
      return { child, log: logOf(child) };
    },
    /** Its exit code. */
    startUntilIdle: async () => {
      const child = spawnStart(['--until-idle', '--log-level', 'silent']);
      const [code] = await once(child, 'exit');
      return code;
    },
    enqueue: async (handler: string, payload: unknown): Promise<string> => {
      const args = ['jobs', 'enqueue', handler, '--payload', JSON.stringify(payload), '--json'];
      return JSON.parse((await redrive(...args)).stdout).id;
    },
  };
}

/** Waits for lines of a worker's log. */
function logOf(child: ChildProcess) {
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const { stdout } = child;
  if (stdout === null) throw new Error('The worker has no stdout');
  createInterface({ input: stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  return {
    lines,
    line: (event: string, after = 0) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const look = () => {
          const found = lines.slice(after).find((line) => line.event === event);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

test('enqueue, work until idle, look: a job that needs three attempts, and one that dies', async () => {
  const { redrive, enqueue, startUntilIdle } = setUp();
  const good = await enqueue('flaky', '1 3');
  expect(await startUntilIdle()).toBe(0);
  const shown = JSON.parse((await redrive('jobs', 'show', good, '--json')).stdout);
  expect(shown).toMatchObject({ state: 'succeeded', result: { job: good, attempt: 3 } });
  expect(shown.attempts).toHaveLength(3);
  expect(shown.attempts[0]).toMatchObject({
    success: false,
    reason: 'retryable_error',
    error: { message: expect.stringContaining('no luck in attempt 1') },
  });
  const bad = await enqueue('flaky', '1');
  const fatal = await enqueue('flaky', '65');
  expect(await startUntilIdle()).toBe(5);
  const listed = await redrive('jobs', 'list', '--state', 'dead', '--json');
  const dead = JSON.parse(listed.stdout).jobs;
  expect(dead.map((job: Record<string, unknown>) => [job.id, job.reason]).sort()).toEqual(
    [
      [bad, 'max_attempts_exceeded'],
      [fatal, 'final_error'],
    ].sort(),
  );
  expect((await redrive('status')).stdout).toMatch(/default +flaky +0 +0 +0 +0 +1 +2 +0/);
});

test('SIGTERM lets a running job end; commands work meanwhile; a probe sees all of it', async () => {
  const { directory, redrive, start, enqueue } = setUp();
  const { child, log } = start('--health-port', '0');
  const { port } = await log.line('health.listening');
  const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  const slow = await enqueue('slow', {});
  await log.line('attempt.started');
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 200]);
  // Another process enqueues and waits, and this one works.
  const other = await enqueue('flaky', '1 1');
  const waited = await redrive('jobs', 'wait', other);
  expect(waited.stdout).toContain(`"job":"${other}"`);
  expect((await redrive('jobs', 'show', slow)).stdout).toContain('Attempt 1 has been running on');
  child.kill('SIGTERM');
  await log.line('worker.stopping');
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 503]);
  writeFileSync(join(directory, 'go'), '');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await redrive('jobs', 'wait', slow)).stdout).toBe('"went"\n');
});

test('a second SIGINT forces it, and what ran can run again at no cost', async () => {
  const { redrive, start, enqueue } = setUp();
  const { child, log } = start('--health-port', 'off');
  const slow = await enqueue('slow', {});
  await log.line('attempt.started');
  child.kill('SIGINT');
  await log.line('worker.stopping');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([130, null]);
  const job = JSON.parse((await redrive('jobs', 'show', slow, '--json')).stdout);
  expect(job).toMatchObject({ retry_count: 0, account: { failed: 0 } });
});

test('SIGHUP reads the file again; a bad one leaves the last good one in force', async () => {
  const { directory, start, enqueue } = setUp();
  const { child, log } = start('--health-port', 'off');
  await log.line('worker.started');
  const file = join(directory, 'redrive.yaml');
  writeFileSync(file, 'version: [');
  child.kill('SIGHUP');
  expect((await log.line('config.problem')).msg).toContain('the last good configuration stays');
  writeFileSync(file, CONFIG.replace('max_attempts: 3', 'max_attempts: 2'));
  child.kill('SIGHUP');
  expect((await log.line('config.changed')).msg).toContain('max_attempts: 3 → 2');
  const after = log.lines.length;
  await enqueue('flaky', '1');
  expect(await log.line('retry.exhausted', after)).toMatchObject({ max_attempts: 2, attempt: 2 });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
