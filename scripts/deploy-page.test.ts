import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

// A worker is started with the arguments of the page's unit and is asked with the page's own health checks.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/deploy.md'), 'utf8');
const launcher = join(root, 'packages/cli/bin/redrive.cjs');

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  return found ?? expect.fail(`the page has no ${language} block`);
}

const start = /^ExecStart=\S+\/redrive (.*)$/m.exec(block('ini'))?.[1]?.split(' ') ?? [];
const container = parse(block('yaml')).spec.template.spec.containers[0];
const [, healthCheck = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(block('dockerfile')) ?? [];
const [, imageCommand = ''] = /^CMD (\[.*\])$/m.exec(block('dockerfile')) ?? [];

let directory: string;
let worker: ChildProcess;
let port: number;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-deploy-'));
  const config = join(directory, 'redrive.yaml');
  writeFileSync(
    config,
    'version: "1.1.0"\njobs:\n  handlers:\n    greet:\n      command: ["cat"]\n',
  );
  const args = start.map((arg) => (arg.endsWith('redrive.yaml') ? config : arg));
  worker = spawn(process.execPath, [launcher, ...args, '--health-port', '0'], {
    cwd: directory,
    env: { ...process.env, REDRIVE_STORE: `sqlite:${join(directory, 'redrive.db')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  port = await healthPort(worker);
});

afterAll(() => {
  worker.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

async function healthPort({ stdout }: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: stdout ?? expect.fail('no output') })) {
    const found = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (found) return Number(found);
  }
  return expect.fail('the worker ended without a health port');
}

function check(command: readonly string[]): number | null {
  const [, ...args] = command.map((part) => part.replace(':9470', `:${port}`));
  return spawnSync(process.execPath, args, { timeout: 20_000 }).status;
}

test('the unit starts a worker, the health checks find it, and it stops at SIGTERM', async () => {
  expect(start.slice(0, 1)).toEqual(['start']);
  expect(check(container.readinessProbe.exec.command)).toBe(0);
  expect(check(container.livenessProbe.exec.command)).toBe(0);
  expect(check(JSON.parse(healthCheck))).toBe(0);

  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(check(container.livenessProbe.exec.command)).toBe(1);
});

test('the image starts the launcher that the package has', () => {
  const bin = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')).bin.redrive;
  expect(JSON.parse(imageCommand)).toEqual(['node', `node_modules/redrive/${bin}`, 'start']);
});

test('every supervisor waits longer than the worker', () => {
  const grace = Number(/--grace (\d+)s/.exec(block('ini'))?.[1]);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(block('ini'))?.[1])).toBeGreaterThan(grace);
  const { terminationGracePeriodSeconds } = parse(block('yaml')).spec.template.spec;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(grace);
});
