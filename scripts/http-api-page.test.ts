import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CURL_PROGRAM, ensureBinary } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The page as a reader goes through it: every command in its order, on one server.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/use-the-http-api.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sh serve|sh)\n(.*?)^```$/gms)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);

let directory: string;
let env: Record<string, string>;
let serving: ChildProcess | undefined;
let origin = '';

beforeAll(async () => {
  await ensureBinary(CURL_PROGRAM);
  directory = mkdtempSync(join(tmpdir(), 'redrive-page-'));
  mkdirSync(join(directory, 'bin'));
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  const file = join(directory, 'bin/redrive');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(file, 0o755);
  env = { PATH: `${join(directory, 'bin')}:${process.env.PATH}`, HOME: directory };
});

afterAll(async () => {
  if (serving !== undefined) {
    const closed = once(serving, 'close');
    serving.kill('SIGTERM');
    await closed;
  }
  rmSync(directory, { recursive: true, force: true });
});

/** On any free port, because 9480 may be taken here. */
async function serve(command: string): Promise<void> {
  const [program = '', ...args] = `${command.trim()} --port 0`.split(' ');
  serving = spawn(join(directory, 'bin', program), args, { cwd: directory, env });
  const [line] = (await once(serving.stdout ?? process.stdin, 'data')) as [Buffer]; // Its stdout is a pipe.
  ({ origin } = new URL(String(line).trim()));
}

function run(text: string): string {
  const script = text.replaceAll('http://127.0.0.1:9480', origin);
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
    cwd: directory,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }, script).toMatchObject({ status: 0 });
  return stdout;
}

test('every command of docs/how-to/use-the-http-api.md works, in its order', async () => {
  const printed: string[] = [];
  for (const { kind, text } of blocks) {
    if (kind === 'sh serve') await serve(text);
    else printed.push(run(text));
  }
  const [tokens, enqueued, looks, paused, changes, revoked] = printed;
  expect(tokens).toMatch(/shop +operator/);
  expect(enqueued).toContain('"handler":"mail"');
  expect(looks).toContain('"state":"ready"');
  expect(paused).toContain('"changed":true');
  expect(paused).toContain('the mail server moves');
  expect(changes).toMatch(/^id: \d+\nevent: change\ndata: \{/);
  expect(changes).toContain('"event":"enqueue"');
  expect(revoked).toContain('The token acme-page is revoked.');
}, 60_000);
