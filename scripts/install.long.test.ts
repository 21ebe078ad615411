import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = dirname(import.meta.dirname);

/** An installation, on a machine that does other things too. */
const TIMEOUT_MS = 600_000;

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-install-'));
});
afterEach(() => {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}, TIMEOUT_MS);

/** What a clone has: the files in git, also those that are about to be added. */
function cloneRepository(): string {
  const clone = join(scratch, 'clone');
  const args = ['ls-files', '-co', '--exclude-standard', '-z'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
  return clone;
}

/** Settings of this machine that an installation may need. */
function wayToRegistry(): NodeJS.ProcessEnv {
  const needed =
    /^(HOME|TMPDIR|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_.*(config|cache))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

/** A machine with Node 20 and this npm, and nothing of the repository in its environment. */
function machineWith(npmVersion: string) {
  const bin = join(scratch, 'bin');
  const cwd = cloneRepository();
  mkdirSync(bin);
  execFileSync('npm', ['pack', '--silent', `npm@${npmVersion}`], { cwd: scratch });
  execFileSync('tar', ['-xf', `npm-${npmVersion}.tgz`], { cwd: scratch });
  const npm = join(scratch, 'package/bin');
  symlinkSync(join(npm, 'npm-cli.js'), join(bin, 'npm'));
  symlinkSync(join(npm, 'npx-cli.js'), join(bin, 'npx'));
  const oldNode = `node_modules/old-node-${process.platform}-${process.arch}/bin/node`;
  symlinkSync(join(root, oldNode), join(bin, 'node'));
  const env = { ...wayToRegistry(), PATH: `${bin}:/usr/bin:/bin`, CI: 'true' };
  return {
    cwd,
    env,
    run: async (file: string, ...args: string[]) =>
      (await promisify(execFile)(file, args, { cwd, env })).stdout.trim(),
  };
}

test.each(['8.19.4', '9.2.0', '10.8.2', '11.19.1'])(
  'npm %s on Node 20: npm ci && npm start comes to its first job, and the tests run on the pinned Node',
  { timeout: TIMEOUT_MS },
  async (npmVersion) => {
    const { cwd, env, run } = machineWith(npmVersion);
    expect(await run('npm', '--version')).toBe(npmVersion);
    expect(await run('node', '--version')).toMatch(/^v20\./);
    await run('npm', 'ci', '--prefer-offline');

    expect(await run('npx', 'node', '--version')).toMatch(/^v24\./);
    // The check at the beginning of `npm test`, with the Node that npm gives to scripts.
    await run('npm', 'exec', '--call', 'node scripts/test-run/before.mjs');

    const start = spawn('npm', ['start'], { cwd, env, detached: true });
    const exited = once(start, 'exit');
    const printed = await new Promise<string>((resolve) => {
      let text = '';
      const hear = (chunk: Buffer): void => {
        text += String(chunk);
        if (text.includes('Succeeded at')) resolve(text);
      };
      start.stdout.on('data', hear);
      start.stderr.on('data', hear);
      start.once('exit', () => resolve(text));
    });
    expect(printed).toContain('Succeeded at the initial attempt');
    // As Ctrl-C does: to npm, its shell and redrive.
    if (start.pid !== undefined) process.kill(-start.pid, 'SIGINT');
    await exited;
  },
);
