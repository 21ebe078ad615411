import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTextFile } from './read-text-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-read-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});
const at = (name: string) => join(directory, name);

it('reads text up to the limit, and no more', async () => {
  writeFileSync(at('a'), 'häppy\n');
  expect(await readTextFile(at('a'), 7)).toEqual({ text: 'häppy\n', worldWritable: false });
  expect(await readTextFile(at('a'), 6)).toMatchObject({ refusal: 'it has more than 6 bytes' });
  writeFileSync(at('empty'), '');
  expect(await readTextFile(at('empty'), 6)).toMatchObject({ text: '' });
});

it('reads through a link', async () => {
  writeFileSync(at('a'), 'text');
  symlinkSync('a', at('b'));
  expect(await readTextFile(at('b'), 100)).toMatchObject({ text: 'text' });
});

it('sees that everybody may write', async () => {
  writeFileSync(at('a'), 'text');
  chmodSync(at('a'), 0o666);
  expect(await readTextFile(at('a'), 100)).toMatchObject({ worldWritable: true });
});

it.each([
  ['missing', () => {}, 'it does not exist'],
  ['a directory', (path: string) => mkdirSync(path), 'it is not a regular file'],
  ['a circle', (path: string) => symlinkSync(path, path), 'its symbolic links form a circle'],
  ['a link to nowhere', (path: string) => symlinkSync('nowhere', path), 'it does not exist'],
  [
    'no text',
    (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x80])),
    'it is not UTF-8 text',
  ],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
])('refuses %s', async (_, make, refusal) => {
  make(at('a'));
  expect(await readTextFile(at('a'), 100)).toMatchObject({ refusal });
});

it('refuses what lies behind a file', async () => {
  writeFileSync(at('a'), 'text');
  expect(await readTextFile(join(at('a'), 'b'), 100)).toMatchObject({
    refusal: 'a part of its path is not a directory',
  });
});
