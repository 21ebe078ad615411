import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { WriteLock } from './write-lock.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  place.remove();
});

/** Has the lock nearly all the time, and lets go of it for a moment after each 10 ms. */
const BUSY = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new DatabaseSync(workerData, { timeout: 5_000 });
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let n = 0; ; n++) {
    db.exec('BEGIN IMMEDIATE');
    if (n === 0) parentPort.postMessage('begun');
    Atomics.wait(pause, 0, 0, 10);
    db.exec('COMMIT');
    Atomics.wait(pause, 0, 0, 1);
  }
`;

it('is had again and again although another connection has it nearly always', async () => {
  const db = new DatabaseSync(place.path, { timeout: 20_000 });
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n)');
  const lock = new WriteLock(db);
  const busy = new Worker(BUSY, { eval: true, workerData: place.path });
  await new Promise((resolve) => busy.once('message', resolve));
  for (let n = 0; n < 20; n++) {
    lock.begin();
    db.exec('COMMIT');
  }
  await busy.terminate();
  db.close();
});

it('is waited for no longer than the connection would have waited', () => {
  const other = new DatabaseSync(place.path);
  other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
  const db = new DatabaseSync(place.path, { timeout: 50 });
  const lock = new WriteLock(db);
  expect(() => lock.begin()).toThrow('locked');
  other.exec('COMMIT');
  lock.begin();
  expect(db.isTransaction).toBe(true);
  db.close();
  other.close();
});
