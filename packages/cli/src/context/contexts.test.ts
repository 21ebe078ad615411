import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onServer } from '../testing/operator-places.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const URL = 'https://redrive.example.org';

function home() {
  const directory = scratchDirectory(onTestFinished, { token: 'secret\n', ca: 'PEM' });
  const env = { XDG_CONFIG_HOME: join(directory, 'config') };
  const run = (...args: string[]) => runMain(['context', ...args], { env, directory });
  return { directory, env, run, file: join(directory, 'config/redrive/contexts.json') };
}

test('a context is added, listed, used and removed, in a file for its owner only', async () => {
  const { run, file, directory } = home();
  expect((await run('list')).stdout).toContain('There are no contexts.');
  const files = ['--token-file', 'token', '--ca-file', 'ca'];
  expect((await run('add', 'prod', '--server', URL, ...files)).exitCode).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, 'config/redrive')).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, 'utf8')).not.toContain('secret');
  expect((await run('use', 'prod')).stdout).toBe(`Commands run on ${URL} from now on.\n`);
  expect(JSON.parse((await run('list', '--json')).stdout).contexts).toEqual([
    {
      ...{ name: 'prod', server: URL, current: true },
      token_file: join(directory, 'token'),
      ca_file: join(directory, 'ca'),
    },
  ]);
  expect((await run('use', '--none')).stdout).toBe('No context is used.\n');
  expect((await run('remove', 'prod')).exitCode).toBe(0);
  expect((await run('use', 'prod')).exitCode).toBe(3);
  expect((await run('remove', 'prod')).exitCode).toBe(3);
});

test('a context that others could read becomes private when it is written again', async () => {
  const { run, file } = home();
  await run('add', 'prod', '--server', URL);
  chmodSync(file, 0o644);
  await run('use', 'prod');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  [['../prod'], 'This is no name of a context: ../prod', 2],
  [['a b'], 'This is no name of a context', 2],
  [['\u001b[31mred'], 'This is no name of a context: \\x1b[31mred', 2],
  [['__proto__'], 'This is no name of a context', 2],
  [['x'.repeat(64)], 'This is no name of a context', 2],
  [['new', '--server', 'redrive.example.org'], 'This is not the address of a server', 2],
  [['new', '--server', 'https://ann:secret@example.org'], 'This is not the address of a server', 2],
  [['new', '--server', URL, '--token-file', 'none'], 'The file cannot be read', 1],
  [['prod'], 'The context prod exists.', 7],
])('add %j is refused', async (args, message, code) => {
  const { run } = home();
  await run('add', 'prod', '--server', URL);
  const { exitCode, stderr } = await run(
    'add',
    ...args,
    ...(args.length > 1 ? [] : ['--server', URL]),
  );
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
});

test.each([
  '{',
  '[]x',
  '{"contexts":{"a b":{"server":"https://example.org"}}}',
  '{"contexts":{"a":{"server":7}}}',
  '{"contexts":{"a":null}}',
  '{"contexts":{"a":{"server":"https://example.org","token_file":{}}}}',
  '{"current":"b","contexts":{}}',
])('a file with %s is named, and a store can be used without it', async (text) => {
  const { run, env, directory, file } = home();
  mkdirSync(join(directory, 'config/redrive'), { recursive: true });
  writeFileSync(file, text);
  const { exitCode, stderr } = await run('list');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('The contexts cannot be read')]);
  expect(stderr).toContain('contexts.json');
  expect((await runMain(['gates', 'list'], { env, directory })).exitCode).toBe(1);
  const store = ['gates', 'list', '--store', 'none.db'];
  expect((await runMain(store, { env, directory })).exitCode).toBe(8);
});

test('add warns of a token that other users can read', async () => {
  const { run, directory } = home();
  const file = join(directory, 'my token');
  writeFileSync(file, 'x', { mode: 0o640 });
  const open = await run('add', 'prod', '--server', URL, '--token-file', 'my token');
  const warning = `Other users can read the token: chmod 600 '${file}'\n`;
  expect(open).toMatchObject({ exitCode: 0, stderr: warning });
  chmodSync(file, 0o600);
  const own = await run('add', 'prod', '--yes', '--server', URL, '--token-file', 'my token');
  expect(own).toMatchObject({ exitCode: 0, stderr: '' });
});

/** A current context `prod` on a server, and one that does not answer. */
async function contexts(version?: string) {
  const { directory, env, run: context } = home();
  const { url, token, store } = await onServer(onTestFinished, version ? { version } : {});
  writeFileSync(join(directory, 'token'), token);
  await context('add', 'prod', '--server', url, '--token-file', 'token');
  await context('add', 'away', '--server', 'http://127.0.0.1:9', '--token-file', 'token');
  await context('use', 'prod');
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runMain(args, { env: { ...env, ...more }, directory });
  return { run, url, token, store };
}

test('commands run on the current context; an act says on which, and --json does not', async () => {
  const { run, url, token } = await contexts();
  expect(await run(['gates', 'list'])).toMatchObject({ exitCode: 0, stderr: '' });
  const release = ['gates', 'release', 'search'];
  const dry = await run([...release, '--dry-run']);
  expect(dry).toMatchObject({ exitCode: 0, stderr: `Context prod: ${url}\n` });
  const json = await run([...release, '--json', '--reason', 'limit was raised']);
  expect(json).toMatchObject({ exitCode: 0, stderr: '' });
  const named = await run([...release, '--server', url], { REDRIVE_TOKEN: token });
  expect(named.stderr).not.toContain('Context');
});

test.each([
  ['an option before all', ['--context', 'prod'], { REDRIVE_SERVER: 'http://127.0.0.1:9' }, 0],
  ['the variable of a server', [], { REDRIVE_SERVER: 'http://127.0.0.1:9', REDRIVE_TOKEN: 'x' }, 8],
  ['the variable of a context', [], { REDRIVE_CONTEXT: 'away' }, 8],
  [
    'a server before a context, in the environment',
    [],
    { REDRIVE_SERVER: 'x', REDRIVE_CONTEXT: 'prod' },
    2,
  ],
  ['the variable of a store', [], { REDRIVE_STORE: 'none.db' }, 8],
  ['a named store', ['--store', 'none.db'], {}, 8],
  ['no context of that name', ['--context', 'none'], {}, 3],
  ['a token of another server', [], { REDRIVE_TOKEN: 'of another server' }, 0],
  ['two places', ['--context', 'prod', '--store', 'none.db'], {}, 2],
] as const)('the place of a command: %s', async (_, args, env, exitCode) => {
  const { run } = await contexts();
  expect((await run(['gates', 'list', ...args], env)).exitCode).toBe(exitCode);
});

test.each([
  ['0.0.1', 'The server is older'],
  ['99.0.0', 'This command line is older'],
])(
  'through a context a server of version %s is read, and no act is sent to it',
  async (version, older) => {
    const { run, store } = await contexts(version);
    expect((await run(['gates', 'list'])).exitCode).toBe(0);
    const before = await store.controls();
    const { exitCode, stderr } = await run(['gates', 'release', 'search']);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(older)]);
    expect(await store.controls()).toEqual(before);
  },
);
