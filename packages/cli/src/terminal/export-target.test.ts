import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { exportTarget } from './export-target.ts';
import type { Io } from './io.ts';

test('where the file cannot get its name, it can be abandoned, and leaves nothing', async () => {
  const directory = scratchDirectory(onTestFinished);
  let released = 0;
  const takeSignals = () => () => {
    released += 1;
  };
  // All that a file needs of it.
  const io = { directory, takeSignals } as unknown as Io;
  const target = await exportTarget(io, {}, 'letters.json');
  await target.write('{}');
  mkdirSync(join(directory, 'letters.json'));
  await expect(target.finish()).rejects.toThrow('letters.json');
  await target.abandon();
  expect(readdirSync(directory)).toEqual(['letters.json']);
  expect(released).toBe(1);
});
