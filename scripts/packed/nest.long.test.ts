import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@redrive/sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OutsideProject } from './outside.ts';

// A NestJS application with the tarballs: as a stranger runs it.
vi.setConfig({ testTimeout: 120_000 });

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let project: OutsideProject;
beforeAll(() => {
  project = new OutsideProject('nest');
}, 600_000);
afterAll(() => project?.remove(), 120_000);

test('handlers by decorator run jobs, health is reported, and a stop lets the running job finish', async () => {
  const flags =
    '--ignoreConfig --strict --skipLibCheck --experimentalDecorators --target es2024 --module nodenext';
  const libs = ['--lib', 'es2024,esnext.disposable,dom'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  const compile = [tsc, ...flags.split(' '), ...libs, ...types, 'main.ts'];
  expect(project.run(process.execPath, compile)).toEqual({ status: 0, stdout: '', stderr: '' });

  const { stdout, stderr } = project.run(process.execPath, ['main.js']);
  const lines = [
    'sent to ada@example.org in attempt 2',
    '{"mail":"ada@example.org"}',
    '200 {"redrive":{"status":"up"}}',
    'the application stops',
    'sent to late in attempt 2',
    'connection closed',
  ];
  expect({ stdout, stderr }).toEqual({ stdout: `${lines.join('\n')}\n`, stderr: '' });

  const store = await openStore(join(project.directory, 'nest.db'));
  const { jobs } = await store.jobs({}, { limit: 10 });
  await store.close();
  const results = jobs.map(({ state, account }) => [state, account.entries.failed]);
  expect(results).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ]);
});

test('the module is short enough to copy', () => {
  const text = readFileSync(join(root, 'examples/nest/redrive.module.ts'), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(150);
});
