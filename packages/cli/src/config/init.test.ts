import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleConfig } from '@redrive/config';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const read = (directory: string, file: string) => readFileSync(join(directory, file), 'utf8');

test('it writes the sample where there is nothing yet', async () => {
  const directory = scratchDirectory(onTestFinished);
  const { exitCode, stdout, stderr } = await runMain(['config', 'init'], { directory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('Wrote redrive.yaml');
  expect(read(directory, 'redrive.yaml')).toBe(sampleConfig());
});

test('it does not overwrite a file, unless told so', async () => {
  const directory = scratchDirectory(onTestFinished, { 'mine.yaml': 'mine' });
  const refused = await runMain(['config', 'init', 'mine.yaml'], { directory });
  expect(refused.exitCode).toBe(4);
  expect(refused.stderr).toMatch(/mine\.yaml exists.*\nOverwrite it with --yes/);
  expect(read(directory, 'mine.yaml')).toBe('mine');
  expect((await runMain(['config', 'init', 'mine.yaml', '--yes'], { directory })).exitCode).toBe(0);
  expect(read(directory, 'mine.yaml')).toBe(sampleConfig());
});

test('--dry-run prints the sample and writes nothing', async () => {
  const directory = scratchDirectory(onTestFinished);
  const { exitCode, stdout } = await runMain(['config', 'init', '--dry-run'], { directory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: sampleConfig() });
  expect(() => read(directory, 'redrive.yaml')).toThrow('ENOENT');
});

test('a directory that is not there is said to be missing', async () => {
  const directory = scratchDirectory(onTestFinished);
  const { exitCode, stderr } = await runMain(['config', 'init', 'a/b.yaml'], { directory });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Cannot write a\/b\.yaml: its directory does not exist\.\n/);
});

// The superuser may write everywhere, so there is nothing to refuse.
const isSuperuser = process.getuid?.() === 0;
test('a directory that may not be written', async () => {
  const directory = scratchDirectory(onTestFinished);
  mkdirSync(join(directory, 'locked'));
  chmodSync(join(directory, 'locked'), 0o500);
  const { exitCode } = await runMain(['config', 'init', 'locked/x.yaml'], { directory });
  expect(exitCode).toBe(isSuperuser ? 0 : 6);
});
