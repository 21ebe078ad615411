import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localActor, watchConfig } from '@redrive/config';
import { memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Log } from '../log/worker-log.ts';
import { noteChanges } from '../start/note-changes.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const textOf = (attempts: number) => `version: "1.1.0"
policies:
  orders: { name: Orders, max_attempts: ${attempts}, backoff_type: fixed, base_delay: 1, max_delay: 1 }
subsystem_mappings: { shop: { orders: orders } }
`;

function setUp() {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': textOf(3),
    'new.yaml': textOf(5),
  });
  const path = join(directory, 'redrive.yaml');
  const run = (...args: string[]) => runMain(['config', 'apply', ...args], { directory });
  return { directory, path, run, text: () => readFileSync(path, 'utf8') };
}

test('config apply puts the new configuration in place and prints the changes', async () => {
  const { run, text, path } = setUp();
  const dry = await run('new.yaml', '--dry-run');
  expect(dry).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('policies.orders.max_attempts'),
    stderr: 'redrive.yaml: 1 change of values. Nothing was written.\n',
  });
  expect(text()).toBe(textOf(3));
  const { exitCode, stdout } = await run('new.yaml', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    file: 'redrive.yaml',
    by: `cli:${localActor()}`,
    changes: [expect.stringContaining('max_attempts')],
    written: true,
  });
  expect(text()).toBe(textOf(5));
  const { mtimeMs } = statSync(path);
  expect((await run('new.yaml')).stderr).toContain('nothing was written');
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

test('a configuration with an error is not put in place', async () => {
  const { run, text, path, directory } = setUp();
  writeFileSync(join(directory, 'new.yaml'), textOf(0));
  const { exitCode, stderr } = await run('new.yaml');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('new.yaml is not valid, so nothing was written.');
  expect(text()).toBe(textOf(3));
  expect(existsSync(`${path}.applied`)).toBe(false);
});

test('who changed a policy: the user of config apply, else unknown with owner and time of the file', async () => {
  const { run, directory, path } = setUp();
  const clock = virtualClock();
  const store = memoryStore({ clock });
  // Nothing of a log is used.
  const notes = noteChanges(clock, {} as unknown as Log);
  const watcher = await watchConfig({ file: path, clock, environment: {}, onChange: notes.note });
  onTestFinished(() => watcher.close());
  notes.writeTo(store, watcher.current, watcher.lastChange);
  await run('new.yaml');
  await watcher.reload();
  // An editor, a deployment: the process that reads the file knows nothing of its user.
  writeFileSync(path, textOf(7));
  await watcher.reload();
  await clock.advance(0);
  const records = (await store.auditBlocks(0, 100)).flatMap((block) => recordsIn(block));
  const at = statSync(path).mtime.toISOString();
  expect(records.map(({ detail: { cause, by } }) => [cause, by])).toEqual([
    ['start', localActor()],
    ['api', `cli:${localActor()}`],
    ['api', 'unknown'],
  ]);
  expect(records[2]?.detail).toMatchObject({
    actor: null,
    last_change: { file: path, owner: expect.any(String), at, applied_by: null },
  });
  const list = await runMain(['audit', 'list', '--event', 'config'], { store, clock, directory });
  expect(list.stdout.replaceAll(/\s+/g, ' ')).toContain('by unknown');
  expect(list.stdout).toContain(`written ${at}`);
});
