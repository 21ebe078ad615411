import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CliError } from '../terminal/exit-codes.ts';
import { processIo } from '../terminal/io.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { replaceFile } from './migrate.ts';

const OLD = `# Our retries
version: "1.0.0"   # of the format
policies: {}
subsystem_mappings: {}
`;
const NEW = OLD.replace('1.0.0', '1.1.0');
const read = (directory: string) => readFileSync(join(directory, 'redrive.yaml'), 'utf8');

async function migrate(directory: string, ...args: string[]) {
  return runMain(['config', 'migrate', ...args], { directory });
}

test('the migrated file goes to stdout, and nothing is written', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': OLD });
  const { exitCode, stdout, stderr } = await migrate(directory);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: NEW });
  expect(stderr).toContain('Nothing was written');
  expect(read(directory)).toBe(OLD);
});

test('--dry-run prints what would change', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': OLD });
  const { stdout } = await migrate(directory, '--dry-run');
  expect(stdout).toBe('version: 1.0.0 → 1.1.0\n');
  expect(read(directory)).toBe(OLD);
});

test('--write writes the file, comments and all, through a link, and keeps its rights', async () => {
  const directory = scratchDirectory(onTestFinished, { 'real.yaml': OLD });
  chmodSync(join(directory, 'real.yaml'), 0o640);
  symlinkSync('real.yaml', join(directory, 'redrive.yaml'));
  const { exitCode, stdout, stderr } = await migrate(directory, '--write');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('Wrote redrive.yaml: 1 change, version 1.0.0 to 1.1.0.');
  expect(read(directory)).toBe(NEW);
  expect(lstatSync(join(directory, 'redrive.yaml')).isSymbolicLink()).toBe(true);
  expect(statSync(join(directory, 'real.yaml')).mode & 0o777).toBe(0o640);
  expect(readdirSync(directory).sort()).toEqual(['real.yaml', 'redrive.yaml']);
});

test('a file that is up to date is left alone', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': NEW });
  const { exitCode, stderr } = await migrate(directory, '--write');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('up to date');
});

describe('it refuses', () => {
  test('a file that is not valid, with its problems', async () => {
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': `${OLD}polices: {}\n` });
    const { exitCode, stdout, stderr } = await migrate(directory, '--write');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/redrive\.yaml:5:1 error .*polices/);
    expect(stderr).toContain('was not migrated');
  });

  test('where there is no file', async () => {
    const { exitCode, stderr } = await migrate(scratchDirectory(onTestFinished));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('There is no file to migrate');
  });

  test('a file that somebody changed in the meantime, and leaves nothing behind', () => {
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': OLD });
    writeFileSync(join(directory, 'redrive.yaml'), 'theirs');
    const io = { ...processIo(), directory };
    const attempt = () => replaceFile(io, 'redrive.yaml', OLD, NEW);
    expect(attempt).toThrow(CliError);
    expect(attempt).toThrow(expect.objectContaining({ exit: 'conflict' }));
    expect(read(directory)).toBe('theirs');
    expect(readdirSync(directory)).toEqual(['redrive.yaml']);
  });
});
