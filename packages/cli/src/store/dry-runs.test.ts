import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { final, jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** A SQLite file with two dead letters and a ready job. */
async function fileWithJobs() {
  const directory = scratchDirectory(onTestFinished);
  const path = join(directory, 'redrive.db');
  const store = await openStore(path);
  const jobs = jobsOn(store, { import: () => final('no file'), later: () => 'done' });
  const dead = [await jobs.enqueue('import', 1), await jobs.enqueue('import', 2)];
  await jobs.start();
  for (const { id } of dead) await jobs.wait(id).catch(() => {});
  await jobs.stop();
  const { id } = await jobs.enqueue('later', 3);
  onTestFinished(() => store.close());
  return { store, path, id, dead: dead[0]?.id ?? '' };
}

const LOCKER = `
  const { DatabaseSync } = require('node:sqlite');
  new DatabaseSync(process.argv[1]).exec('BEGIN IMMEDIATE');
  console.log('locked');
  process.stdin.resume();
`;

/** Another process holds the write lock until the test is over. */
async function holdLock(path: string): Promise<void> {
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const other = spawn(process.execPath, ['-e', LOCKER, path], { stdio: [...stdio] });
  onTestFinished(async () => {
    other.stdin?.end();
    await once(other, 'close');
  });
  await once(other.stdout ?? other, 'data');
}

test('a dry run answers while another process holds the write lock of SQLite', async () => {
  const { store, path, id, dead } = await fileWithJobs();
  await holdLock(path);
  const run = async (line: string) => {
    const args = [...line.split(' '), '--dry-run', '--json'];
    const { exitCode, stdout, stderr } = await runMain(args, { store });
    return { exitCode, stderr, ...JSON.parse(stdout || '{}') };
  };
  const fine = { exitCode: 0, stderr: '', dry_run: true };
  expect(await run('dlq requeue --all')).toMatchObject({ ...fine, done: 2 });
  expect(await run('dlq purge --all')).toMatchObject({ ...fine, done: 2 });
  expect(await run('dlq reset --all')).toMatchObject({ ...fine, done: 2 });
  expect(await run(`jobs cancel ${id}`)).toMatchObject(fine);
  expect(await run(`dlq edit ${dead} --payload {"n":2}`)).toMatchObject({ ...fine, done: 1 });
});
