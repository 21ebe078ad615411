import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = {
  'redrive.yaml':
    'version: "1.1.0"\njobs: { handlers: { import: { idempotent: true, dependency: files } } }\n',
};

async function setUp(count = 3) {
  const clock = virtualClock(START);
  const { store, ids } = await deadLetters(clock, count);
  const directory = scratchDirectory(onTestFinished, CONFIG);
  const run = (args: string, options: RunOptions = {}) =>
    runMain(['lab', 'record', ...args.split(' ')], { store, clock, directory, ...options });
  const lines = (name = 'out') =>
    readFileSync(join(directory, name, 'recording.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
  return { clock, store, ids, directory, run, lines };
}

test('lab record writes a line per attempt, without payload, message or id, for its owner alone', async () => {
  const { run, lines, ids, directory } = await setUp();
  expect(await run('--to out')).toEqual({
    exitCode: 0,
    stdout: '3 attempts are in out/recording.jsonl.\n',
    stderr: '',
  });
  const [head = '', ...rest] = lines();
  expect(JSON.parse(head)).toMatchObject({ recording: 'recording/v1' });
  expect(rest.map((line) => JSON.parse(line))).toMatchObject(
    Array(3).fill({
      dependency: 'files',
      handler: 'import',
      attempt: 1,
      outcome: 'failed',
      class: 'final',
      action: 'give-up',
    }),
  );
  expect(new Set(rest.map((line) => JSON.parse(line).session)).size).toBe(3);
  const text = lines().join('\n');
  for (const secret of [...ids, 'hunter', 'the file is not there'])
    expect(text).not.toContain(secret);
  expect(statSync(join(directory, 'out', 'recording.jsonl')).mode & 0o777).toBe(0o600);
});

test('a session has another hash in every recording', async () => {
  const { run, lines } = await setUp(1);
  await run('--to a');
  await run('--to b');
  const session = (name: string) => JSON.parse(lines(name)[1] ?? '{}').session;
  expect(session('a')).toMatch(/^[0-9a-f]{16}$/);
  expect(session('a')).not.toBe(session('b'));
});

test('a directory that is not empty is refused', async () => {
  const { run, directory } = await setUp(1);
  writeFileSync(join(directory, 'x'), '');
  expect(await run('--to .')).toMatchObject({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringContaining('. is not empty.'),
  });
});

test('--dependency and the window leave out other attempts', async () => {
  const { run } = await setUp();
  const json = async (args: string) => JSON.parse((await run(`${args} --json`)).stdout);
  expect(await json('--dependency other --to a')).toMatchObject({ attempts: 0 });
  expect(await json('--dependency files --to b')).toMatchObject({
    attempts: 3,
    file: 'b/recording.jsonl',
  });
  expect(await json('--until 2027-01-31T08:00:02Z --to c')).toMatchObject({ attempts: 1 });
  expect(await run('--since 1h --until 2h --to d')).toMatchObject({ exitCode: 2 });
});

test('Ctrl-C keeps the attempts that were written, and ends with 130', async () => {
  const { run, lines } = await setUp(1);
  const stopped = await run('--to out', { onSignals: (send) => send('SIGINT') });
  expect(stopped).toMatchObject({
    exitCode: 130,
    stdout: '0 attempts are in out/recording.jsonl.\n',
  });
  expect(lines()).toHaveLength(1);
});
