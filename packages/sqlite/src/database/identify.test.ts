import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { identify } from './identify.ts';
import { migrate } from './migrate.ts';
import { CURRENT_SCHEMA } from './schema.ts';

test('a file whose tables another process makes between two looks is no store of an older version', () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-identify-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'jobs.db');
  const mine = new DatabaseSync(path);
  const other = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => {
    mine.close();
    other.close();
  });
  let looks = 0;
  const prepare = mine.prepare.bind(mine);
  mine.prepare = (sql) => {
    looks += 1;
    if (looks === 2) attempt(() => migrate(other, path, CURRENT_SCHEMA));
    return prepare(sql);
  };
  expect(identify(mine, path)).toBe('empty');
  attempt(() => migrate(other, path, CURRENT_SCHEMA));
  expect(identify(mine, path)).toBe('usable');
});

/** It has to wait for the other connection. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ message: 'database is locked' });
  }
}
