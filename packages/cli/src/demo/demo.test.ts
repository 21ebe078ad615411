import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test.each(['redrive-demo.db', 'redrive-demo-shop.db'])(
  'a dangling symbolic link in place of %s is refused, and its target is not created',
  async (file) => {
    const directory = scratchDirectory(onTestFinished);
    const target = join(directory, 'elsewhere.db');
    symlinkSync(target, join(directory, file));
    const { exitCode, stderr } = await runMain(['start', '--demo'], { directory });
    expect(stderr).toContain(`${file} is a symbolic link to a file that does not exist.`);
    expect(exitCode).not.toBe(0);
    expect(existsSync(target)).toBe(false);
  },
);

test('--fresh does not delete a store that the caller names', async () => {
  const directory = scratchDirectory(onTestFinished, { 'mine.db': '' });
  const args = ['start', '--demo', '--fresh', '--store', 'sqlite:./mine.db'];
  const { exitCode, stderr } = await runMain(args, { directory });
  expect(stderr).toContain('--store names another store');
  expect(exitCode).toBe(2);
  expect(existsSync(join(directory, 'mine.db'))).toBe(true);
});

test('--fresh is refused without the demo', async () => {
  const { exitCode, stderr } = await runMain(['start', '--fresh']);
  expect(stderr).toContain('--fresh');
  expect(exitCode).toBe(2);
});
