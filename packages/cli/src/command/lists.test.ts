import { systemClock } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { documentsWithAll, SWEEPS_CONFIG } from '../testing/document-place.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { signedIn } from '../testing/signed-in.ts';
import { storeWithAll } from '../testing/store-with-all.ts';
import { jsonFields } from './json-fields.ts';

const CONFIG = `version: "1.1.0"\nbuses: { main: { url: "store:" } }${SWEEPS_CONFIG}`;

const lists = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.map((spec) => ({ path: `${each.name} ${spec.name}`, spec }))
    : [],
).filter(({ path, spec }) => path.endsWith(' list') || spec.rows !== undefined);

test.each(lists)(
  '$path: one JSON document with next, JSON lines, and plain rows',
  async ({ path, spec }) => {
    const directory = scratchDirectory(onTestFinished, {
      'redrive.yaml': CONFIG,
    });
    const store = await storeWithAll();
    const documents = documentsWithAll();
    const run = async (option: string) => {
      const { stdout, stderr, exitCode } = await runMain([...path.split(' '), option], {
        directory,
        ...placeOf(path, directory),
        store,
        documents,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return stdout;
    };
    await createToken({ directory });
    await addContext(directory);
    const document = JSON.parse(await run('--json'));
    expect(Object.keys(document)).toContain('next');
    const [name = ''] = jsonFields(spec).map((field) => field.path);
    const field = Array.isArray(document[name]) ? name : 'policies';
    const items = document[field];
    expect(items.length).toBeGreaterThan(0);

    const jsonLines = (await run('--jsonl')).trim().split('\n');
    // What looks at the audit log is in it from then on.
    const lines = jsonLines.slice(-items.length).map((line) => JSON.parse(line));
    expect(Object.keys(lines[0])).toEqual(Object.keys(items[0]));
    const plain = (await run('--plain')).split('\n').slice(0, -1);
    expect(plain.length).toBeGreaterThanOrEqual(items.length);
    for (const line of plain)
      expect(line.split('\t'), line).toHaveLength(spec.rows?.split(', ').length ?? 0);
  },
);

/** Contexts are in a file of the user. */
const placeOf = (path: string, directory: string) =>
  path.startsWith('contexts') ? { env: { HOME: directory } } : {};

async function addContext(directory: string): Promise<void> {
  const env = { HOME: directory };
  await runMain(['contexts', 'add', 'prod', '--server', 'https://example.org'], { env });
}

/** Tokens and sign-ins are in a file, not in the store. */
async function createToken(given: { readonly directory: string }): Promise<void> {
  await runMain(['tokens', 'create', '--role', 'viewer', '--name', 'ann'], given);
  signedIn(given.directory, systemClock.now());
}

test('--jsonl of a stream is its --json', async () => {
  const store = await storeWithAll();
  const args = ['audit', 'tail', '--for', '0s', '--event', 'enqueue'];
  const [json, jsonl] = [
    await runMain([...args, '--json'], { store }),
    await runMain([...args, '--jsonl'], { store }),
  ];
  expect(jsonl).toEqual(json);
  expect(jsonl.stdout).toMatch(/^\{"time":/);
});

/** `now`, `3 min ago`, `in 20 s`, and `2027-01-31 08:00:00Z` for people. */
const AGE = /\bnow\b| ago$|\bin \d|^\d{4}-\d\d-\d\d \d/;

test.each(lists)('$path --plain: times are ISO times, not ages', async ({ path }) => {
  const store = await storeWithAll();
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  const given = { store, directory, documents: documentsWithAll(), ...placeOf(path, directory) };
  await createToken({ directory });
  await addContext(directory);
  const { stdout } = await runMain([...path.split(' '), '--plain'], given);
  expect(stdout).not.toBe('');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  for (const cell of rows.flat()) expect(cell).not.toMatch(AGE);
});

test('--plain: counts are numbers, without commas', async () => {
  const { store, clock, jobs, work } = jobStore(virtualClock(START));
  await jobs.enqueueMany(
    'import',
    Array.from({ length: 1_001 }, () => undefined),
  );
  const cellsOf = async (...args: string[]) =>
    (await runMain([...args, '--plain'], { store, clock })).stdout.trimEnd().split('\t');
  expect(await cellsOf('queues', 'list')).toContain('1001');
  await work(60_000);
  expect(await cellsOf('dlq', 'groups')).toContain('1001');
  expect(await cellsOf('escalations', 'list')).toContain('1001');
});
