import { once } from 'node:events';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { entriesOf } from '../package-entries.ts';
import { NEWEST_NODE, OutsideProject, oldestNodeOf } from './outside.ts';

// Installs the tarballs in a project outside the repository, as a stranger does, and runs its programs there: each on
// the oldest and on the newest Node of the packages that it uses.
const root = join(import.meta.dirname, '../..');
const folders = globSync('packages/*', { cwd: root })
  .map((path) => basename(path))
  .filter((folder) => manifestOf(folder).private !== true);
// These need fast-check and axios, optional peers that this project does not have.
const WITH_PEERS = ['@redrive/testkit/arbitraries', '@redrive/core/axios'];
const entries = entriesOf(root).filter(({ name }) => !WITH_PEERS.includes(name));

/** What publint suggests, and nothing else. docs/decisions/0065 says why core has this field all the same. */
const BROWSER_FIELD =
  /Linting\.\.\.\s*Suggestions:\s*1\. pkg\.browser with an object value [^\n]*\s*$/;

// Compilers and programs of others, on machines that do other work too.
vi.setConfig({ testTimeout: 300_000 });

let project: OutsideProject;
let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
  project = new OutsideProject();
}, 600_000);
afterAll(async () => {
  project?.remove();
  await postgres?.stop();
}, 120_000);

const nodesOf = (...used: string[]): string[] => {
  const oldest = used.map(oldestNodeOf).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [oldest.at(-1) ?? '', NEWEST_NODE];
};
const inProject = (path: string): string => join(project.directory, path);
const save = (path: string, text: string): void => writeFileSync(inProject(path), text);

describe('every tarball', () => {
  test.each(folders)(
    'of packages/%s has LICENSE and the sources of its maps, and no build information',
    (folder) => {
      const directory = inProject(`node_modules/${nameOf(folder)}`);
      const files = globSync('**/*', { cwd: directory });
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(files.filter((file) => /\.tsbuildinfo$|\.test\.|^src\/testing/.test(file))).toEqual(
        [],
      );
      const withoutSource = files
        .filter((file) => file.endsWith('.map'))
        .filter((map) => {
          const { sources } = JSON.parse(readFileSync(join(directory, map), 'utf8'));
          return !sources.every((source: string) =>
            existsSync(join(directory, dirname(map), source)),
          );
        });
      expect(withoutSource).toEqual([]);
    },
  );

  test('is clean for publint', () => {
    const publint = join(project.tools, 'node_modules/publint/src/cli.js');
    for (const tarball of project.tarballs) {
      const { stdout, status } = project.run(process.execPath, [publint, tarball, '--strict']);
      const isCore = /\/redrive-core-[^/]*$/.test(tarball);
      expect({ tarball, status }).toMatchObject({ status: 0 });
      expect(stdout).toMatch(isCore ? BROWSER_FIELD : /All good!\s*$/);
    }
  });

  test('is clean for attw', () => {
    const attw = join(project.tools, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    // The command line has no entry that a program could import.
    const importable = project.tarballs.filter((path) => !/\/redrive-\d[^/]*$/.test(path));
    expect(importable).toHaveLength(folders.length - 1);
    for (const tarball of importable) {
      const args = [attw, tarball, '--profile', 'esm-only', '--format', 'ascii'];
      const { stdout, status } = project.run(process.execPath, args);
      expect({ tarball, status, stdout }).toMatchObject({ status: 0 });
    }
  });
});

test('redrive alerts export and dashboard export work from the installed package', () => {
  const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
  const files: Readonly<Record<string, string>> = {
    'alerts export': 'prometheus/alerts/retry_policy.yml',
    'alerts export alertmanager': 'alertmanager/alertmanager.yml',
    'dashboard export': 'grafana/redrive.json',
  };
  for (const [line, file] of Object.entries(files)) {
    const finished = project.bin(process.execPath, 'redrive', line.split(' '));
    expect(finished).toEqual({ status: 0, stdout: read(file), stderr: '' });
  }
});

test('a program loads a package from a few files', () => {
  const directory = inProject('node_modules/@redrive/durable/dist');
  const shared = globSync('*.js', { cwd: directory }).filter((file) => file.startsWith('shared'));
  expect(shared).toHaveLength(1);
  save(
    'count-files.mjs',
    `import { registerHooks } from 'node:module';
    let files = 0;
    registerHooks({ load: (url, context, next) => (files += url.includes('@redrive'), next(url, context)) });
    await import('@redrive/durable');
    await import('@redrive/postgres');
    console.log(files);`,
  );
  const { stdout } = project.run(process.execPath, ['count-files.mjs']);
  expect(Number(stdout)).toBeLessThanOrEqual(20);
});

test('an error of an installed package shows the line of its source', () => {
  const program = `import('@redrive/core').then(({ definePolicy }) => definePolicy({ maxAttempts: -1 })).catch(({ stack }) => console.log(stack))`;
  const { stdout } = project.run(process.execPath, ['--enable-source-maps', '--eval', program]);
  const [, source = ''] = /\((\S+define-policy\.ts):\d+:\d+\)/.exec(stdout) ?? [];
  expect(existsSync(source.replace('file://', ''))).toBe(true);
});

describe('types', () => {
  const tsc = 'node_modules/typescript/bin/tsc';
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--noEmit',
  ];
  const everyEntry = ['--target', 'es2023', '--types', 'node', 'entries.ts'];
  const nodenext = ['--module', 'nodenext'];
  const bundler = ['--module', 'preserve', '--moduleResolution', 'bundler'];
  const clean = { status: 0, stdout: '', stderr: '' };
  const check = (...args: string[]) => project.run(process.execPath, [tsc, ...args]);

  beforeAll(() => {
    const lines = entries.map(({ name }, at) => `export * as entry${at} from '${name}';\n`);
    save('entries.ts', lines.join(''));
  });

  test('the programs compile with module nodenext', () => {
    expect(check()).toEqual(clean);
  });

  test('the programs compile with moduleResolution bundler', () => {
    expect(check(...bundler)).toEqual(clean);
  });

  test('every entry compiles in a strict project without @types/pg', () => {
    const [types, aside] = [inProject('node_modules/@types/pg'), inProject('types-pg')];
    renameSync(types, aside);
    try {
      for (const modules of [nodenext, bundler]) {
        const args = ['--ignoreConfig', ...strict, ...modules, ...everyEntry];
        expect(check(...args)).toEqual(clean);
      }
    } finally {
      renameSync(aside, types);
    }
  });

  test('"go to definition" leads to the source', () => {
    const map = 'node_modules/@redrive/core/dist/run/retry.d.ts.map';
    const { sources } = JSON.parse(readFileSync(inProject(map), 'utf8'));
    const source = join(dirname(inProject(map)), sources[0]);
    expect(readFileSync(source, 'utf8')).toMatch(/export (async )?function retry\b/);
  });

  test('every entry compiles with TypeScript 5.6', () => {
    const old = join(project.tools, tsc);
    expect(project.run(process.execPath, [old, '--version']).stdout).toMatch(/^Version 5\.6\./);
    const args = [old, ...strict, ...nodenext, ...everyEntry];
    expect(project.run(process.execPath, args)).toEqual(clean);
  });

  test('core compiles for browsers, without the types of Node', () => {
    save('browser.ts', `export * from '@redrive/core';\n`);
    const args = [...strict, ...bundler, '--lib', 'es2023,dom', '--types', '', 'browser.ts'];
    expect(check('--ignoreConfig', ...args)).toEqual(clean);
  });
});

describe('an HTTP client', () => {
  afterAll(() => {
    rmSync(inProject('build'), { recursive: true, force: true });
  });

  test.each(nodesOf('core'))('obeys Retry-After on Node %s', async (version) => {
    // Node 20 does not run TypeScript.
    const emit = ['--noEmit', 'false', '--outDir', 'build', '--rewriteRelativeImportExtensions'];
    expect(project.bin(process.execPath, 'tsc', emit)).toMatchObject({ status: 0, stdout: '' });
    await using server = await busyServer();
    const client = project.start(project.node(version), ['build/src/http-client.js', server.url]);
    const lines = [await client.nextLine(), await client.nextLine()];
    expect(lines).toEqual([expect.stringMatching(/^attempt 1 failed, 1\d\d\d ms$/), '200 hello']);
    expect((await client.stop()).lines).toEqual([]);
    expect(server.requests()).toBe(2);
  });
});

describe('Fastify with a job in a Postgres transaction', () => {
  test.each(nodesOf('durable', 'postgres'))('on Node %s', async (version) => {
    const env = {
      DATABASE_URL: await freshDatabase(`shop_${version.replaceAll('.', '_')}`),
      PORT: '0',
    };
    const server = project.start(project.node(version), ['src/server.ts'], env);
    const url = await server.nextLine();
    const placeOrder = (order: object) =>
      fetch(`${url}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      });

    const placed = await placeOrder({ id: 'order 1', amount: 20 });
    expect(placed.status).toBe(201);
    // A response is what the program sends.
    const { job } = (await placed.json()) as { job: string };
    const done = await fetch(`${url}/jobs/${job}`);
    expect(await done.json()).toEqual({ result: 'confirmed order 1' });

    const refused = await placeOrder({ id: 'order 2', amount: 0 });
    expect(refused.status).toBe(500);
    const counts = await (await fetch(`${url}/counts`)).json();
    expect(counts).toMatchObject([{ handler: 'confirm', state: 'succeeded', count: 1 }]);
    expect(await server.stop()).toEqual({ status: 0, lines: [] });
  });
});

describe('a worker with graceful stop', () => {
  afterEach(() => {
    for (const file of globSync(inProject('jobs.db*'))) rmSync(file);
  });

  test.each(nodesOf('durable', 'sqlite'))('on Node %s', async (version) => {
    const node = project.node(version);
    const first = project.start(node, ['src/worker.ts', 'monthly', 'yearly']);
    expect(await first.nextLine()).toBe('writing monthly');
    // The running job ends, the other one is not started.
    expect(await first.stop()).toEqual({ status: 0, lines: ['wrote monthly', 'stopped'] });

    const second = project.start(node, ['src/worker.ts']);
    expect(await second.nextLine()).toBe('writing yearly');
    expect(await second.stop()).toEqual({ status: 0, lines: ['wrote yearly', 'stopped'] });
  });
});

describe('a shell handler', () => {
  const runJob = (version: string, env: Record<string, string>): void => {
    const redrive = (...args: string[]) => project.bin(project.node(version), 'redrive', args, env);
    expect(redrive('config', 'validate')).toMatchObject({ status: 0 });
    expect(redrive('store', 'migrate')).toMatchObject({ status: 0 });
    const enqueued = redrive('jobs', 'enqueue', 'resize', '--payload', '{"image": "cat.png"}');
    expect(enqueued).toMatchObject({ status: 0 });
    expect(redrive('start', '--until-idle')).toMatchObject({ status: 0 });
    const shown = redrive('jobs', 'show', enqueued.stdout.trim(), '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      state: 'succeeded',
      result: { resized: { image: 'cat.png' }, attempt: 2 },
    });
  };

  test.each(nodesOf('cli', 'sqlite'))('on a SQLite store on Node %s', (version) => {
    runJob(version, { REDRIVE_STORE: `sqlite:./resize-${version}.db` });
  });

  test.each(nodesOf('cli', 'postgres'))('on a Postgres store on Node %s', async (version) => {
    const store = await freshDatabase(`resize_${version.replaceAll('.', '_')}`);
    runJob(version, { REDRIVE_STORE: store });
  });

  test('a SQLite that can lose commits is refused with the Nodes that have a better one', () => {
    const redrive = project.bin(
      project.node(oldestNodeOf('cli')),
      'redrive',
      ['start', '--until-idle'],
      {
        REDRIVE_STORE: 'sqlite:./refused.db',
      },
    );
    expect(redrive.status).not.toBe(0);
    expect(redrive.stdout + redrive.stderr).toContain('Use Node 22.22.3, 24.15.0, 25.9.0');
  });
});

describe('a unit test in virtual time', () => {
  const nodes = nodesOf('core', 'testkit');

  test.each(nodes)('under vitest on Node %s', (version) => {
    const run = project.bin(project.node(version), 'vitest', ['run'], { NO_COLOR: '1' });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests {2}1 passed/) });
  });

  test.each(nodes)('under node:test on Node %s', (version) => {
    const run = project.run(project.node(version), ['--test', 'node-test/reminder.ts']);
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/pass 1\b/) });
  });
});

describe('require', () => {
  test.each(nodesOf('durable', 'testkit'))('loads every package on Node %s', (version) => {
    expect(project.run(project.node(version), ['legacy.cjs'])).toMatchObject({
      status: 0,
      stdout: 'attempt 2 - hello, Ada\nfunction function function function\n',
    });
  });

  const answer = `retry(({ attempt }) => attempt).then(console.log)`;

  test('loads core on Node 20.19', () => {
    const program = `const { retry } = require('@redrive/core'); ${answer}`;
    const run = project.run(project.node('20.19.0'), ['--eval', program]);
    expect(run).toMatchObject({ status: 0, stdout: '1\n' });
  });

  test('does not on Node 20.0, where CommonJS imports core', () => {
    const node = project.node(oldestNodeOf('core'));
    const required = project.run(node, ['--eval', `require('@redrive/core')`]);
    expect(required.stderr).toContain('ERR_REQUIRE_ESM');
    const program = `import('@redrive/core').then(({ retry }) => ${answer})`;
    expect(project.run(node, ['--eval', program])).toMatchObject({ status: 0, stdout: '1\n' });
  });
});

/** A server that is busy at first, and says for how long. */
async function busyServer() {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503, { 'retry-after': '1' }).end();
    else response.end('hello');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function freshDatabase(name: string): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return postgres.url.replace(/\/postgres$/, `/${name}`);
}

function nameOf(folder: string): string {
  return manifestOf(folder).name;
}

function manifestOf(folder: string): { name: string; private?: boolean } {
  return JSON.parse(readFileSync(join(root, `packages/${folder}/package.json`), 'utf8'));
}
