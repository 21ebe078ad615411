import { readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ensureBinaries } from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { COMPILER } from './compiler.ts';
import { OutsideProject } from './outside.ts';

// Jobs in transactions of better-sqlite3, which is compiled here, with the tarballs.
vi.setConfig({ testTimeout: 120_000 });

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const page = readFileSync(join(root, 'docs/how-to/enqueue-in-your-own-transaction.md'), 'utf8');
const node = process.execPath;

let project: OutsideProject;
beforeAll(async () => {
  await ensureBinaries(COMPILER);
  project = new OutsideProject('sqlite-library');
  // Its install script downloads a build of other machines. Without optimisation it compiles in seconds.
  const headers = dirname(dirname(node));
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const env = { PATH: path, npm_config_nodedir: headers, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  const built = project.run('npm', ['rebuild', 'better-sqlite3', '--build-from-source'], env);
  expect(built).toMatchObject({ status: 0 });
}, 900_000);
afterAll(() => project?.remove());

beforeEach(() => {
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(project.directory, `shop.db${end}`), { force: true });
});

test('better-sqlite3 commits, rolls back, is told of conflicts and has savepoints', async () => {
  const worker = project.start(node, ['worker.ts']);
  expect(await worker.nextLine()).toBe('0 jobs');
  expect(project.run(node, ['producer.ts'])).toEqual({
    status: 0,
    stdout: `commit: created
roll back: the user changed their mind
conflict: unique_conflict
savepoint: created
orders: kept, nested, once, parts
without a transaction: enqueueIn needs a transaction of yours: begin it with BEGIN IMMEDIATE.
closed
`,
    stderr: '',
  });
  expect([await worker.nextLine(), await worker.nextLine()]).toEqual([
    'mail for kept',
    'mail for nested',
  ]);
  expect(await worker.stop()).toEqual({ status: 0, lines: [] });
});

test('kill -9 of both processes after better-sqlite3 has closed the file loses nothing', async () => {
  const worker = project.start(node, ['worker.ts', '--enqueue']);
  expect(await worker.nextLine()).toBe('1 jobs');
  const produced = project.run(node, ['producer.ts', '20', '--kill']);
  expect(produced).toEqual({ status: null, stdout: '20 orders\nclosed\n', stderr: '' });
  await worker.kill();
  const [count] = project.run(node, ['worker.ts', '--until-idle']).stdout.split('\n');
  expect(count).toBe('21 jobs');
});

test('beside an open store, and with an older SQLite, it is refused', () => {
  const { status, stdout, stderr } = project.run(node, ['refused.ts']);
  const path = join(project.directory, 'refused.db');
  expect({ status, lines: stdout.trim().split('\n'), stderr }).toEqual({
    status: 0,
    lines: [
      expect.stringContaining(
        `better-sqlite3: enqueueIn does not write with this library, because node:sqlite has ${path} open in this process too`,
      ),
      expect.stringContaining(
        'better-sqlite3: enqueueIn works on a DatabaseSync of node:sqlite or an sqlExecutor, and this connection belongs to better-sqlite3',
      ),
      expect.stringContaining(
        'libsql: enqueueIn does not write with SQLite 3.45.1 of your library: it can lose committed writes',
      ),
      expect.stringContaining('this connection belongs to better-sqlite3'),
    ],
    stderr: '',
  });
});

test('the programs compile', () => {
  const flags = '--noEmit --ignoreConfig --strict --skipLibCheck --target es2024 --lib es2024,dom';
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  const modules = '--module nodenext --allowImportingTsExtensions'.split(' ');
  const programs = ['worker.ts', 'producer.ts', 'refused.ts'];
  const args = [tsc, ...flags.split(' '), ...modules, ...types, ...programs];
  expect(project.run(node, args)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('the page has the lines of producer.ts', () => {
  const program = readFileSync(join(root, 'examples/sqlite-library/producer.ts'), 'utf8');
  const [, lines = ''] = /^\/\/ recipe\n(.*?)^\/\/ end$/ms.exec(program) ?? [];
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(5);
  expect(page).toContain(lines);
});
