import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const GOOD = 'version: "1.1.0"\nstore:\n  url: sqlite:./jobs.db\n';

const BROKEN: readonly (readonly [string, string])[] = [
  ['a syntax error', `${GOOD}policies: { a: [\n`],
  ['an unknown key', `${GOOD}polices: {}\n`],
  ['a wrong value', `${GOOD}policies:\n  a: { name: A, max_attempts: many }\n`],
];

/** A directory with a store, a job in it, and a configuration that breaks afterwards. */
async function brokenPlace(text: string) {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': GOOD });
  const args = ['jobs', 'enqueue', 'sync', '--payload', '{}', '--runs-elsewhere', '--json'];
  const { stdout, stderr } = await runMain(args, { directory });
  const [id] = /[0-9a-z]{20}/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(stderr);
  writeFileSync(join(directory, 'redrive.yaml'), text);
  const run = (...words: string[]) => runMain(words, { directory });
  return { directory, id, run };
}

const COMMANDS = ['status', 'kill engage queue mail', 'kill list', 'kill release queue mail'];

test.each(BROKEN)('a broken redrive.yaml blocks no emergency command: %s', async (_, text) => {
  const { directory, id, run } = await brokenPlace(text);
  const commands = [...COMMANDS, 'queue pause mail', 'queue resume mail', `jobs cancel ${id}`];
  for (const command of commands) {
    const { exitCode, stderr } = await run(...command.split(' '));
    expect({ command, exitCode, stderr }).toMatchObject({ command, exitCode: 0 });
    expect(stderr).toContain(
      `redrive.yaml is not valid. Using the store that it names: sqlite:${directory}/jobs.db\nTo see what is wrong: redrive config validate\n`,
    );
  }
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout).states).toMatchObject({ cancelled: 1 });
  // Others want a valid one.
  const other = await run('jobs', 'list');
  expect(other.exitCode).toBe(1);
  expect(other.stderr).toContain('redrive.yaml is not valid, so nothing was done');
  expect(other.stderr).toContain('With --store or REDRIVE_STORE this command works without');
});

test('a broken redrive.yaml is not even read where the store is named', async () => {
  const { directory, run } = await brokenPlace('}}}');
  const store = `sqlite:${directory}/jobs.db`;
  const named = await run('status', '--store', store);
  expect({ exitCode: named.exitCode, stderr: named.stderr }).toEqual({ exitCode: 0, stderr: '' });
  const env = { REDRIVE_STORE: store };
  expect((await runMain(['kill', 'list'], { directory, env })).exitCode).toBe(0);
});

test('a broken redrive.yaml without a store line means the default store; with one that cannot be read, nothing', async () => {
  const { run } = await brokenPlace('version: 7\n');
  const { exitCode, stderr } = await run('status');
  expect(exitCode).toBe(8);
  expect(stderr).toContain('Using the default store: sqlite:./redrive.db');
  const unreadable = await brokenPlace('store:\n  ulr: sqlite:./jobs.db\n');
  const refused = await unreadable.run('kill', 'engage', 'queue', 'mail');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toBe(
    'redrive: redrive.yaml is not valid, and the store that it names cannot be read.\nName the store with --store or REDRIVE_STORE, or correct the file: "redrive config validate".\n',
  );
});
