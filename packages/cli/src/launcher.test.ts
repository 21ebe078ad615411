import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// These run the launcher as npm links it, over what `tsc -b` has built.
const bin = fileURLToPath(new URL('../bin/', import.meta.url));
const launcher = join(bin, 'redrive.cjs');
const nodeVersion: { problemWith(version: string, platform?: string): string | undefined } =
  createRequire(import.meta.url)('../bin/node-version.cjs');

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-launcher-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function run(node: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', timeout: 20_000 });
  return { status, stdout, stderr };
}

/** The modules that a program loads, from the root of the repository. */
function loadedBy(program: string, args: string[]): string[] {
  const report = join(scratch, 'report-loaded.cjs');
  writeFileSync(
    report,
    `require('node:module').registerHooks({
      load(url, context, next) { console.error(url); return next(url, context); },
    });`,
  );
  const { stderr } = run(process.execPath, ['-r', report, program, ...args]);
  const urls = stderr.matchAll(/^file:.*\/((?:packages|node_modules)\/.+)$/gm);
  return [...urls].map(([, path = '']) => path);
}

describe('the check of Node itself', () => {
  test.each(['0.10.48', '8.17.0', '20.20.2', '22.17.9'])('%s is too old', (version) => {
    const problem = nodeVersion.problemWith(version);
    expect(problem).toContain(`needs Node 22.18 or newer, but this is Node ${version}`);
    expect(problem).toContain('install a current one');
  });

  test('on macOS, where the repository brings no Node, the sentence says how to get one', () => {
    expect(nodeVersion.problemWith('20.20.2', 'darwin')).toBe(
      'redrive needs Node 22.18 or newer, but this is Node 20.20.2: install a current one (on macOS "brew install node", or https://nodejs.org) and run the command again.',
    );
    expect(nodeVersion.problemWith('20.20.2', 'linux')).not.toContain('brew');
  });

  test.each(['22.18.0', '22.20.1', '23.0.0', '24.21.0', '100.0.0'])('%s will do', (version) => {
    expect(nodeVersion.problemWith(version)).toBeUndefined();
  });

  test('it asks for what package.json promises', () => {
    const manifest = JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8'));
    const [major, minor] = manifest.engines.node.replace('>=', '').split('.');
    expect(nodeVersion.problemWith(`${major}.${minor}.0`)).toBeUndefined();
    expect(nodeVersion.problemWith(`${major}.${minor - 1}.0`)).toBeDefined();
  });
});

describe('the launcher', () => {
  test.each(['redrive.cjs', 'bundle.cjs', 'node-version.cjs'])(
    '%s has no syntax newer than ES5',
    (file) => {
      const source = readFileSync(join(bin, file), 'utf8').replace(/^#!.*\n/, '');
      const asWritten = transformSync(source, { target: 'esnext' }).code;
      expect(transformSync(source, { target: 'es5' }).code).toBe(asWritten);
    },
  );

  test('on a Node that is too old says so in one line and fails', () => {
    const fake = join(scratch, 'old-node.cjs');
    writeFileSync(
      fake,
      `Object.defineProperty(process, 'versions', { value: { node: '8.17.0' } });`,
    );
    const { status, stdout, stderr } = run(process.execPath, ['-r', fake, launcher, '--version']);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^redrive needs Node 22\.18 or newer, but this is Node 8\.17\.0: .+\n$/);
  });

  test('before the build says what to run', () => {
    cpSync(bin, join(scratch, 'bin'), { recursive: true });
    const { status, stderr } = run(process.execPath, [join(scratch, 'bin/redrive.cjs')]);
    expect(status).toBe(1);
    expect(stderr).toContain('npm run build');
  });

  // The pinned Node, and whatever else is installed: each works or is told what is wrong.
  const nodes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].filter(existsSync);
  test.each(nodes)('works with %s or says why not', (node) => {
    const problem = nodeVersion.problemWith(
      run(node, ['-p', 'process.versions.node']).stdout.trim(),
    );
    expect(run(node, [launcher, '--version'])).toEqual(
      problem
        ? { status: 1, stdout: '', stderr: `${problem}\n` }
        : { status: 0, stdout: '0.1.0\n', stderr: '' },
    );
  });

  test('passes arguments and the exit code through', () => {
    const { status, stderr } = run(process.execPath, [launcher, 'stauts']);
    expect(status).toBe(2);
    expect(stderr).toContain('Did you mean redrive status?');
  });

  test('--version loads nothing else', () => {
    expect(
      loadedBy(launcher, ['--version']).filter((path) => !path.startsWith('packages/cli/bin/')),
    ).toEqual(['packages/cli/package.json']);
    expect(run(process.execPath, [launcher, '-V']).stdout).toBe('0.1.0\n');
  });

  test.each([[['--help']], [['policy', 'explain', '--help']], [['policy', 'explian']]])(
    '%j loads no command, no parser and of other packages only the manifest of actions',
    (args) => {
      const unbundled = join(scratch, 'unbundled.cjs');
      const main = JSON.stringify(join(bin, '../dist/main.js'));
      writeFileSync(unbundled, `require(${main}).mainOfProcess(process.argv.slice(2));`);
      const loaded = loadedBy(unbundled, args);
      expect(loaded).toContain('packages/cli/dist/main.js');
      const needed =
        /^packages\/(operate\/dist\/(manifest|action)\/.+|cli\/(bin|dist\/(main|program|command-tree|action\/sugar|terminal\/.+|command\/.+|.+-(commands?|fields))\.js))/;
      const others = loaded.filter((path) => !needed.test(path));
      for (const path of others) expect(path).toMatch(/node_modules\/(commander|picocolors)\//);
    },
  );
});
