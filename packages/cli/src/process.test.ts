import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@redrive/core';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from './terminal/exit-codes.ts';
import { runMain } from './testing/run-main.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

// What only a process of its own can show; over what `tsc -b` has built.
const launcher = fileURLToPath(new URL('../bin/redrive.cjs', import.meta.url));

function timeOf(args: readonly string[]): number {
  const startMs = systemClock.monotonic();
  const { status } = spawnSync(process.execPath, args);
  expect(status).toBe(0);
  return systemClock.monotonic() - startMs;
}

test('--version answers within three times of a bare start of Node', () => {
  // In turns, and the fastest of each: a busy machine only ever adds to a start. Hardly more than once is usual.
  const rounds = Array.from({ length: 7 }, () => ({
    bareMs: timeOf(['-e', '0']),
    versionMs: timeOf([launcher, '--version']),
  }));
  const fastest = (name: 'bareMs' | 'versionMs') => Math.min(...rounds.map((each) => each[name]));
  expect(fastest('versionMs') / fastest('bareMs')).toBeLessThan(3);
});

test('explain, as a script would ask it', () => {
  const args = [launcher, 'policy', 'explain', 'RETRY_NATS_CONNECT', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { max_attempts, delays_ms } = JSON.parse(stdout);
  expect(max_attempts).toBe(5);
  expect(delays_ms.map(({ nominal }: { nominal: number }) => nominal)).toEqual([
    1000, 2000, 4000, 8000,
  ]);
});

test('the exit code of a command is that of the process', () => {
  const args = [launcher, 'policy', 'diff', 'KV_GET', 'NATS_CONNECT', '--json'];
  expect(spawnSync(process.execPath, args).status).toBe(EXIT.differs);
});

test('Ctrl-C ends a command at once with 130, and says nothing', async () => {
  const handlers = 'jobs: { handlers: { mail: { command: ["true"] } } }';
  const config = `version: "1.1.0"\n${handlers}\n`;
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': config });
  const place = ['--store', 'sqlite:./jobs.db'];
  const job = ['jobs', 'enqueue', 'mail', '--payload', '{}', '--id', 'm-1', ...place];
  expect((await runMain(job, { directory })).exitCode).toBe(0);
  const args = [launcher, 'jobs', 'wait', 'id::m-1', '--verbose', ...place];
  const child = spawn(process.execPath, args, { cwd: directory });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  // It says where it looks, and then waits for ever: no worker runs.
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code, signal] = await once(child, 'close');
  expect({ code, signal, stdout }).toEqual({ code: 130, signal: null, stdout: '' });
});

test('a reader that has enough, such as head, is no failure', async () => {
  const child = spawn(process.execPath, [launcher, 'policy', 'list']);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // Closed before anything is written: the first write finds nobody.
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
