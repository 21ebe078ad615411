import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCli, copyConsole, copyMonitoring } from './bundle-cli.ts';

const root = dirname(dirname(import.meta.dirname));

/** The command line as it is installed: its launcher, its manifest and the bundle. */
let home: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-bundle-'));
  home = join(scratch, 'packages/cli');
  cpSync(join(root, 'packages/cli/bin'), join(home, 'bin'), { recursive: true });
  cpSync(join(root, 'packages/cli/package.json'), join(home, 'package.json'));
  await bundleCli(root, join(home, 'dist/bundle'));
  copyMonitoring(root, join(home, 'dist/bundle'));
  copyConsole(root, join(home, 'dist/bundle'));
  writeFileSync(
    join(scratch, 'report-loaded.cjs'),
    `require('node:module').registerHooks({
      load(url, context, next) { console.error('loaded ' + url); return next(url, context); },
    });`,
  );
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function redrive(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-r', join(scratch, 'report-loaded.cjs'), join(home, 'bin/redrive.cjs'), ...args],
    {
      cwd: scratch,
      env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') },
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  const loaded = [...stderr.matchAll(/^loaded (file:.+)$/gm)].map(([, url = '']) => url);
  return { status, stdout, stderr: stderr.replace(/^loaded .+\n/gm, ''), loaded };
}

test('status on an empty store loads only the bundle, which has the threads of the store', () => {
  const store = `sqlite:${join(scratch, 'empty.db')}`;
  expect(redrive('store', 'migrate', '--store', store)).toMatchObject({ status: 0, stderr: '' });
  const { status, stdout, stderr, loaded } = redrive('status', '--store', store);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('empty.db');
  const files = loaded.map((url) => url.replace(/.*\/packages\/cli\//, '')).sort();
  expect(files.filter((file) => !/^dist\/bundle\/[\w-]+\.js$/.test(file))).toEqual([
    'bin/bundle.cjs',
    'bin/compile-cache.cjs',
    'bin/node-version.cjs',
    'bin/redrive.cjs',
  ]);
});

test('the help loads no store, no validation and no command', () => {
  const { loaded } = redrive('--help');
  const code = loaded.map((url) => readFileSync(new URL(url), 'utf8')).join('');
  expect(code).not.toMatch(/ZodError|PRAGMA|pg_catalog/);
  expect(code.length).toBeLessThan(600_000);
});

describe('compiled code of the commands', () => {
  const caches = (name: string) => join(scratch, name);
  const keptIn = (directory: string) =>
    existsSync(join(directory, 'redrive')) ? readdirSync(join(directory, 'redrive')).length : 0;
  const help = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(home, 'bin/redrive.cjs'), 'jobs', '--help'], {
      env,
      timeout: 30_000,
    }).status;

  test("is kept in the user's cache directory", () => {
    const cache = caches('own');
    expect(help({ XDG_CACHE_HOME: cache })).toBe(0);
    expect(keptIn(cache)).toBe(1);
    expect(statSync(join(cache, 'redrive')).mode & 0o777).toBe(0o700);
  });

  test('is not kept where others may write', () => {
    const cache = caches('open');
    mkdirSync(join(cache, 'redrive'), { recursive: true });
    chmodSync(join(cache, 'redrive'), 0o777);
    expect(help({ XDG_CACHE_HOME: cache })).toBe(0);
    expect(keptIn(cache)).toBe(0);
  });

  test('is not kept behind a link', () => {
    const cache = caches('linked');
    mkdirSync(join(scratch, 'elsewhere'));
    mkdirSync(cache);
    symlinkSync(join(scratch, 'elsewhere'), join(cache, 'redrive'));
    expect(help({ XDG_CACHE_HOME: cache })).toBe(0);
    expect(readdirSync(join(scratch, 'elsewhere'))).toEqual([]);
  });

  test('is not kept if the user says so, or there is no place for it', () => {
    const cache = caches('off');
    expect(help({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(0);
    expect(existsSync(cache)).toBe(false);
    expect(help({ XDG_CACHE_HOME: '/dev/null' })).toBe(0);
  });
});

test('alerts export and dashboard export take their files from beside the bundle', () => {
  const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
  const rules = redrive('alerts', 'export');
  expect(rules).toMatchObject({
    status: 0,
    stdout: read('prometheus/alerts/retry_policy.yml'),
    stderr: '',
  });
  expect(redrive('dashboard', 'export').stdout).toBe(read('grafana/redrive.json'));
});

test('the help answers from the bundle', () => {
  const { status, stdout } = redrive('jobs', 'list', '--help');
  expect(status).toBe(0);
  expect(stdout).toContain('Usage: redrive jobs list');
});

test.each([[['start']], [['-q', 'start']], [['--no-color', 'start', '--health-port', '0']]])(
  '%j does not use the bundle: its handlers share the classes of the packages',
  (args) => {
    const { status, stderr } = redrive(...args);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'redrive is not built yet: run "npm run build" in its repository first.\n',
    });
  },
);

test('in the repository a bundle older than the build of any package is not used', () => {
  writeFileSync(join(home, 'tsconfig.json'), '{}');
  const record = join(scratch, 'packages/durable/dist/main.tsbuildinfo');
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, '');
  utimesSync(record, new Date(), new Date(Date.now() - 60_000));
  expect(redrive('help').status).toBe(0);
  utimesSync(record, new Date(), new Date(Date.now() + 60_000));
  expect(redrive('help').stderr).toContain('is not built yet');
  rmSync(join(home, 'tsconfig.json'));
});

test('the licences of the bundled packages go with them', () => {
  const text = readFileSync(join(home, 'dist/bundle/THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['commander', 'pg', 'yaml', 'zod'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('the console and the HTTP API are served from the bundle', async () => {
  const store = `sqlite:${join(scratch, 'served.db')}`;
  expect(redrive('store', 'migrate', '--store', store).status).toBe(0);
  const args = [join(home, 'bin/redrive.cjs'), 'serve', '--port', '0', '--store', store];
  const child = spawn(process.execPath, args, { cwd: scratch });
  const closed = once(child, 'close');
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]; // What a stream without an encoding gives.
    const { origin } = new URL(String(line).trim());
    expect((await fetch(`${origin}/v1/health`)).status).toBe(200);
    const page = await fetch(origin, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<script type="module"');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await closed).toEqual([0, null]);
});
