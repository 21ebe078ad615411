import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { verifyAudit } from '@redrive/durable/audit';
import { schedules } from '@redrive/durable/control';
import { storeBus } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { openStore } from '@redrive/sqlite';
import { startNats } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';

const LETTERS = 300;
const SOURCE = { name: 'chunking', bus: 'main', handler: 'chunk' };
const DESTINATION = { name: 'dlq', stream: 'dlq', subject: 'chunking.dlq' };

/** Letters that died a minute ago: a younger one than 10 s is not published yet. */
async function letDie(path: string): Promise<string[]> {
  const clock = { ...systemClock, now: () => systemClock.now() - 60_000 };
  const store = await openStore(path, { clock });
  await store.migrate();
  const ids = Array.from({ length: LETTERS }, (_, n) => `m-${String(n).padStart(3, '0')}`);
  const body = Buffer.from('not JSON');
  const messages = ids.map((id) => ({ destination: 'chunking', body, id }));
  await storeBus(store, [SOURCE], { clock }).publish(messages);
  await store.close();
  return ids.map((id) => `chunking-${id}`);
}

test('kill -9 between publish and cursor: every letter arrives, and a second publish has the same id', async () => {
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  const directory = mkdtempSync(join(tmpdir(), 'redrive-dead-letters-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'store.db');
  const journal = join(directory, 'published');
  const bus = natsBus(nats.url);
  onTestFinished(() => bus.close());
  await bus.declare(DESTINATION);
  const ids = await letDie(path);

  const publisher = (dies: string) => {
    const file = join(import.meta.dirname, 'dead-letter-process.ts');
    const child = fork(file, [path, nats.url, journal, dies], { stdio: 'inherit', execArgv: [] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  // Before and after the first page, after the fourth, after the last.
  for (const dies of ['before', '1', '4', 'last']) {
    const [, signal] = await once(publisher(dies), 'exit');
    expect(signal).toBe('SIGKILL');
  }
  const last = publisher('never');
  await once(last, 'message');
  last.kill('SIGKILL');
  await once(last, 'exit');

  // JetStream recognises the ids of a second publish.
  const arrived = await bus.peek?.(DESTINATION, LETTERS + 1);
  expect(arrived?.map(({ id }) => id).toSorted()).toEqual(ids);
  const published = readFileSync(journal, 'utf8').trim().split('\n');
  expect(published.length).toBeGreaterThan(LETTERS);
  expect([...new Set(published)].toSorted()).toEqual(ids);

  const store = await openStore(path);
  onTestFinished(() => store.close());
  const [schedule] = (await schedules(store)).schedules;
  expect(schedule?.totals.published).toBe(LETTERS);
  expect((await verifyAudit(await store.readAudit())).problems).toEqual([]);
}, 120_000);
