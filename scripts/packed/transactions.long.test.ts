import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OutsideProject } from './outside.ts';

// A row and its job in one transaction, with the libraries of the registry and with the tarballs.
vi.setConfig({ testTimeout: 120_000 });

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const PAGE = 'docs/how-to/enqueue-in-your-own-transaction.md';
const page = readFileSync(join(root, PAGE), 'utf8');

let project: OutsideProject;
let server: PostgresService;
beforeAll(async () => {
  project = new OutsideProject('transactions');
  server = await startPostgres();
  // It is not used, but the command would download it.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
  const generated = project.bin(process.execPath, 'prisma', ['generate'], env);
  expect(generated).toMatchObject({ status: 0 });
}, 600_000);
afterAll(async () => {
  project?.remove();
  await server?.stop();
}, 120_000);

const TABLE = /^(\| library .*\n\|[-|]+\n)(?:\|.*\n)+/m;
const TITLES = ['commit', 'roll back', 'conflict', 'savepoint', 'onceIn', 'no transaction'];

test('each library commits, rolls back, is told of conflicts and has savepoints; -u writes the table', async () => {
  const env = { DATABASE_URL: server.url };
  const { status, stdout, stderr } = project.run(process.execPath, ['main.ts'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [name, did = ''] = line.split(': ');
      const worked = did.split(', ');
      return `| ${[name, ...TITLES.map((each) => (worked.includes(each) ? 'yes' : 'no'))].join(' | ')} |\n`;
    });
  expect(rows.length).toBeGreaterThan(0);
  const written = page.replace(TABLE, (_, head: string) => head + rows.join(''));
  await expect(written).toMatchFileSnapshot(join(root, PAGE));
});

test('the program compiles', () => {
  const flags = '--noEmit --ignoreConfig --strict --skipLibCheck --target es2024 --lib es2024,dom';
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node,pg'];
  const modules = '--module nodenext --allowImportingTsExtensions'.split(' ');
  const args = [tsc, ...flags.split(' '), ...modules, ...types, 'main.ts'];
  expect(project.run(process.execPath, args)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.each(['drizzle', 'kysely', 'prisma', 'knex', 'typeorm', 'sequelize', 'postgres-js'])(
  'the page has the lines of %s.ts',
  (name) => {
    const program = readFileSync(join(root, `examples/transactions/${name}.ts`), 'utf8');
    const [, lines = ''] = /^\/\/ recipe\n(.*?)^\/\/ end$/ms.exec(program) ?? [];
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(5);
    const [before = '', ...rest] = page.split(`${lines}\`\`\`\n`);
    expect(rest).toHaveLength(1);
    const imports = before.slice(before.lastIndexOf('```ts no-run\n')).split('\n').slice(1, -2);
    expect(imports.length).toBe(2);
    for (const each of imports) {
      const [, names = '', from = ''] =
        /^import (?:type )?\{ (.*) \} from '(.*)';/.exec(each) ?? [];
      const own = program.split('\n').find((line) => line.endsWith(` from '${from}';`));
      for (const name of names.split(', ')) expect(own).toContain(name.replace('type ', ''));
    }
  },
);
