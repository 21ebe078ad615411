import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The page as a reader goes through it: its first block on the machine of the server, the others in a home without a store.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/operate-from-another-machine.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sh server|sh)\n(.*?)^```$/gms)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);

let directory: string;
let serving: ChildProcess | undefined;
let origin = '';
const place = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-page-'));
  for (const name of ['bin', 'server', 'own']) mkdirSync(place(name));
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  writeFileSync(place('bin/redrive'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(place('bin/redrive'), 0o755);
});

afterAll(async () => {
  if (serving !== undefined) {
    const closed = once(serving, 'close');
    serving.kill('SIGTERM');
    await closed;
  }
  rmSync(directory, { recursive: true, force: true });
});

const envOf = (home: string) => ({
  PATH: `${place('bin')}:${process.env.PATH}`,
  HOME: place(home),
});

async function serve(): Promise<void> {
  const at = { cwd: place('server'), env: envOf('server') };
  serving = spawn(place('bin/redrive'), ['serve', '--port', '0'], at);
  const [line] = (await once(serving.stdout ?? process.stdin, 'data')) as [Buffer]; // Its stdout is a pipe.
  ({ origin } = new URL(String(line).trim()));
}

function run(text: string, home: string) {
  const script = text.replaceAll('http://127.0.0.1:9480', origin || 'http://127.0.0.1:9480');
  const at = { cwd: place(home), env: envOf(home) };
  const options = { ...at, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
  expect({ status, stderr }, script).toMatchObject({ status: 0 });
  return { stdout, stderr };
}

test('every command of docs/how-to/operate-from-another-machine.md works, in its order', async () => {
  const [first, ...others] = blocks;
  expect(first?.kind).toBe('sh server');
  run(first?.text ?? '', 'server');
  await serve();
  copyFileSync(place('server/ann.token'), place('own/ann.token'));
  const [, named, acted, chosen] = others.map(({ text }) => run(text, 'own'));
  expect(named?.stdout).toMatch(new RegExp(`prod +current +${origin}`));
  expect(acted?.stderr).toBe(`Context prod: ${origin}\n`);
  expect(acted?.stdout).toContain('mail');
  expect(chosen?.stdout).toContain('No context is used.');
  expect(readFileSync(place('own/.config/redrive/contexts.json'), 'utf8')).not.toContain(
    'redrive_',
  );
}, 60_000);
