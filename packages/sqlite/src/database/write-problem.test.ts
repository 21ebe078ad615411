import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreWith } from '../open-store.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';
import { writeProblem } from './write-problem.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  place.remove();
});

it('names the directory or the file that may not be written, and the user', () => {
  const { path, directory } = place;
  const without = (...denied: string[]) => writeProblem(path, (each) => !denied.includes(each));
  expect(without()).toBeUndefined();
  // What is not there yet cannot be the problem.
  expect(without(path, `${path}-wal`)).toBeUndefined();
  expect(without(directory)).toMatch(/^the directory .+ may not be written by the user .+/);
  writeFileSync(path, '');
  writeFileSync(`${path}-wal`, '');
  expect(without(path, `${path}-wal`)).toContain(`the file ${path} may not`);
  expect(without(`${path}-wal`)).toContain(`the file ${path}-wal may not`);
});

it('what SQLite cannot open is told with its path', async () => {
  new DatabaseSync(place.path).close();
  // Holds for everybody, whoever runs this: where the log should be, there is something else.
  mkdirSync(join(`${place.path}-wal`));
  const opened = openStoreWith(place.path, {}, { audit: true, start: withoutThreads });
  await expect(opened).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining(place.path),
  });
});
