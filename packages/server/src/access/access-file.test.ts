import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { AccessFile } from './access-file.ts';

const run = promisify(execFile);
const EACH = 40;

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-access-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('two processes that change the file at the same time lose nothing', async () => {
  const directory = scratch();
  const path = join(directory, 'access.json');
  const module = new URL('./access-file.ts', import.meta.url).href;
  const program = `const { AccessFile } = await import(${JSON.stringify(module)});
    const access = new AccessFile(${JSON.stringify(path)});
    for (let n = 0; n < ${EACH}; n++) access.createCode(0);`;
  const args = ['--input-type=module', '--eval', program];
  await Promise.all([run(process.execPath, args), run(process.execPath, args)]);
  const { codes } = JSON.parse(readFileSync(path, 'utf8'));
  expect(codes).toHaveLength(2 * EACH);
  expect(readdirSync(directory)).toEqual(['access.json']);
});

test('sign-ins with one token end only older ones with the same token', async () => {
  const access = new AccessFile(join(scratch(), 'access.json'));
  const signIn = (by: { code: string } | { token: string }) => {
    const keys = access.signIn({ name: 'ann', from: '127.0.0.1', by }, 0);
    if (keys === undefined) throw new Error('The code and the token are right.');
    return () => access.signedIn(keys, 1)?.role;
  };
  const admin = signIn({ code: access.createCode(0) });
  const token = await access.createToken({ role: 'viewer' });
  const viewers = Array.from({ length: 101 }, () => signIn({ token }));
  expect(admin()).toBe('admin');
  expect(viewers.map((role) => role())).toEqual([undefined, ...Array(100).fill('viewer')]);
});

test('the lock of a process that crashed does not stay', () => {
  const path = join(scratch(), 'access.json');
  writeFileSync(`${path}.lock`, '');
  utimesSync(`${path}.lock`, 0, 0);
  const access = new AccessFile(path);
  expect(access.hasCode(access.createCode(0), 1)).toBe(true);
});
