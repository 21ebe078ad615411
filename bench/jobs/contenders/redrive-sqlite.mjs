import { join } from 'node:path';
import { openStore } from '../../../packages/sqlite/dist/index.js';
import { queueOn } from './redrive.mjs';

const levels = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

export async function open({ dir, audit = true }) {
  const path = join(dir, 'redrive.db');
  const store = audit ? await openStore(path) : await openWithoutAudit(path);
  await store.counts();
  return queueOn(store, durability);
}

/** What the writing connections in all threads say. */
async function durability() {
  const writers = (await globalThis.askSqlite('durability')).filter(({ isReader }) => !isReader);
  if (writers.length === 0) throw new Error('no connection writes');
  const synchronous = levels[Math.min(...writers.map((writer) => writer.synchronous))];
  return { journal: writers[0].journal, synchronous };
}

async function openWithoutAudit() {
  throw new Error('not yet');
}
