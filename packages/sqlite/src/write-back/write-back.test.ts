import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openForWriting } from '../database/open-database.ts';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';
import { MAX_PAGES_AT_ONCE, WriteAheadLog, WriteBack } from './write-back.ts';
import { writeBackTasks } from './write-back-tasks.ts';

const PAGES = 4_000;
let path = '';
let remove = (): void => {};
let db: DatabaseSync;
let log: WriteAheadLog;
let writeBack: WriteBack;
let asked = 0;
let nowMs = 0;

beforeEach(() => {
  ({ path, remove } = scratch());
  db = openForWriting(path, 1_000);
  db.exec('CREATE TABLE IF NOT EXISTS filling (bytes BLOB)');
  log = new WriteAheadLog(db);
  asked = 0;
  const askForHelp = (): void => {
    asked += 1;
  };
  nowMs = 0;
  writeBack = new WriteBack(db, askForHelp, { now: () => nowMs });
});

afterEach(() => {
  db.close();
  remove();
});

/** One commit of about so many pages. */
function commit(pages: number): void {
  db.prepare('INSERT INTO filling VALUES (zeroblob(?))').run(pages * 4_096);
  writeBack.afterCommit();
}

function heldReader(): () => void {
  const reader = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => {
    if (reader.isOpen) reader.close();
  });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM filling').get();
  return () => reader.close();
}

test('a log that is no longer read from stays small', () => {
  for (let n = 0; n < 10; n++) {
    commit(500);
    expect(log.size().left).toBeLessThan(1_000);
  }
  expect(asked).toBe(0);
});

test('no commit writes a large log back, and after help the next one does the rest', () => {
  const release = heldReader();
  for (let n = 0; n < 4; n++) commit(PAGES);
  const large = log.size();
  expect(large.left).toBeGreaterThan(MAX_PAGES_AT_ONCE);
  expect(asked).toBe(1);

  release();
  commit(10);
  // All of it is still there: this commit has written nothing back.
  expect(log.size().writtenBack).toBe(large.writtenBack);
  expect(log.size().left).toBeGreaterThan(large.left);

  writeBackTasks({ path, busyMs: 1_000 }).writeBack();
  expect(log.size().left).toBe(0);
  commit(10);
  // It began anew.
  expect(log.size()).toMatchObject({ writtenBack: 0 });
  expect(log.size().left).toBeLessThan(20);
});

test('what another connection has written back is no news', () => {
  const version = db.prepare('PRAGMA data_version');
  const release = heldReader();
  for (let n = 0; n < 3; n++) commit(PAGES);
  release();
  const before = version.get();
  writeBackTasks({ path, busyMs: 1_000 }).writeBack();
  expect(version.get()).toEqual(before);
});

test('help that a reader holds up ends, and the writer asks again only later', () => {
  heldReader();
  for (let n = 0; n < 4; n++) commit(PAGES);
  const { left } = log.size();
  writeBackTasks({ path, busyMs: 1_000 }).writeBack();
  expect(log.size().left).toBe(left);
  nowMs = 999;
  commit(10);
  expect(asked).toBe(1);
  nowMs = 1_000;
  commit(10);
  expect(asked).toBe(2);
});

test('a store finds the help by itself', async () => {
  const store = await openMade(path, {}, { audit: true, start: withoutThreads });
  onTestFinished(() => store.close());
  const payload = { kind: 'json', text: JSON.stringify('x'.repeat(4_000_000)) } as const;
  const release = heldReader();
  for (let n = 0; n < 11; n++) await store.apply([enqueueOf(`large-${n}`, { payload })]);
  expect(log.size().left).toBeGreaterThan(MAX_PAGES_AT_ONCE);
  release();
  let later = 0;
  // It is asked for once a second.
  await vi.waitUntil(
    async () => {
      await store.apply([enqueueOf(`later-${later++}`)]);
      return log.size().left < 1_000;
    },
    { timeout: 4_000, interval: 100 },
  );
});
