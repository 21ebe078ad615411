import { closeSync, openSync, statfsSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { definePolicy, systemClock } from '@redrive/core';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { openStore } from '@redrive/sqlite';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import type { Subject } from './check.ts';
import { checkDisk, diskFindings } from './store-checks.ts';

// Each test plants one problem, and asks for the finding, its remedy and the exit code.

interface Setting extends RunOptions {
  readonly yaml?: string;
  readonly args?: readonly string[];
}

async function doctor({ yaml = '', args = [], ...options }: Setting) {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\n${yaml}`,
  });
  const { exitCode, stdout } = await runMain(['doctor', '--json', ...args], {
    directory,
    clock: systemClock,
    ...options,
  });
  return { exitCode, ...JSON.parse(stdout) };
}

const of = (check: string, level: string, message: RegExp, remedy: RegExp) =>
  expect.objectContaining({
    ...{ check, level },
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(remedy),
  });

test('lints: a configuration that is not valid is a problem, and the store is checked all the same', async () => {
  const found = await doctor({ store: memoryStore(), yaml: 'nonsense: 1' });
  expect(found).toMatchObject({ exitCode: 1, ok: false });
  expect(found.findings).toContainEqual(of('lints', 'problem', /nonsense/, /./));
  expect(found.checks).toContainEqual({ name: 'rows', result: 'ok' });
  expect(found.checks).toContainEqual({ name: 'buses', result: 'skipped' });
});

test('store: a store that does not exist is a problem, and checks that need it are skipped', async () => {
  const found = await doctor({ yaml: '', args: ['--store', 'sqlite:./none.db'] });
  expect(found).toMatchObject({ exitCode: 1, store: null });
  expect(found.findings).toContainEqual(
    of('store', 'problem', /does not exist/, /^redrive store migrate/),
  );
  expect(found.checks).toContainEqual({ name: 'workers', result: 'skipped' });
  expect(found.checks).toContainEqual({ name: 'lints', result: 'ok' });
});

test('clock: a store whose clock is an hour ahead', async () => {
  const store = memoryStore({ clock: virtualClock({ startMs: systemClock.now() + 3_600_000 }) });
  const found = await doctor({ store });
  expect(found.exitCode).toBe(1);
  expect(found.findings).toContainEqual(
    of('clock', 'problem', /clock is (1 h|60 min).* ahead of/, /NTP/),
  );
});

test('policies: more different ones than a store should keep', async () => {
  const store = memoryStore();
  const policy = definePolicy();
  const policies = Array.from({ length: 10_001 }, (_, n) => ({
    hash: `h${n}`,
    id: 'default',
    policy,
  }));
  await store.registerPolicies(policies.slice(1));
  expect((await doctor({ store })).checks).toContainEqual({ name: 'policies', result: 'ok' });
  await store.registerPolicies(policies);
  const found = await doctor({ store });
  expect(found.findings).toContainEqual(
    of('policies', 'warning', /more than 10000 different policies/, /few different values/),
  );
  expect(found.exitCode).toBe(0);
});

test('workers: ready jobs, and no worker that takes them', async () => {
  const store = memoryStore();
  await jobsOn(store, { mail: () => 1 }).enqueue('mail', 1);
  const found = await doctor({ store });
  expect(found.exitCode).toBe(1);
  expect(found.findings).toContainEqual(
    of('workers', 'problem', /No live worker takes jobs of mail in default/, /redrive start/),
  );
});

test('schedules: nobody looks after a schedule', async () => {
  const clock = virtualClock({ startMs: 1_800_000_000_000 });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { mail: () => 1 }, { clock });
  jobs.schedule('nightly', { handler: 'mail', everyMs: 60_000 });
  await jobs.start();
  await clock.advance(5_000);
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  await clock.advance(3_600_000);
  const found = await doctor({ store, clock });
  expect(found.exitCode).toBe(1);
  expect(found.findings).toContainEqual(
    of('schedules', 'problem', /schedule nightly/, /redrive schedules remove nightly/),
  );
});

const EVENTS = `
buses: { main: { url: "nats://127.0.0.1:4222" } }
jobs: { handlers: { resize: { command: ["true"] } } }
events: { sources: { chunking: { bus: main, stream: docs, handler: resize } } }
`;

test('buses: a stream that does not exist, and a broker that is away', async () => {
  const missing = await doctor({ store: memoryStore(), yaml: EVENTS, bus: memoryBus() });
  expect(missing.exitCode).toBe(1);
  expect(missing.findings).toContainEqual(of('buses', 'problem', /source chunking/, /./));
  const away = Object.assign(memoryBus(), {
    check: async () => {
      throw new Error('connection refused');
    },
  });
  const found = await doctor({ store: memoryStore(), yaml: EVENTS, bus: away });
  expect(found.findings).toContainEqual(
    of('buses', 'problem', /connection refused/, /buses.main.url/),
  );
});

test('buses: the broker of a collection is away', async () => {
  const away = Object.assign(memoryBus(), {
    check: async () => {
      throw new Error('connection refused');
    },
  });
  const yaml = `
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;
  const documents = memoryDocuments();
  const found = await doctor({ store: memoryStore(), yaml, documents, bus: away });
  expect(found.exitCode).toBe(1);
  expect(found.findings).toContainEqual(
    of('buses', 'problem', /collection archives .*: connection refused/, /buses.main.url/),
  );
  const there = await doctor({ store: memoryStore(), yaml, documents, bus: memoryBus() });
  expect(there.checks).toContainEqual({ name: 'buses', result: 'ok' });
});

test('sweeps: a collection without its index', async () => {
  const documents = Object.assign(memoryDocuments(), {
    prepare: async () => ['index redrive_stuck on archives'],
  });
  const yaml = `
buses: { main: { url: "store:" } }
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;
  const found = await doctor({ store: memoryStore(), yaml, documents });
  expect(found.exitCode).toBe(1);
  expect(found.findings).toContainEqual(
    of('sweeps', 'problem', /archives has no index/, /^redrive sweep init archives$/),
  );
});

test('ports: another program has the port of health and metrics', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('mine'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const found = await doctor({ store: memoryStore(), yaml: `jobs: { health_port: ${port} }` });
  expect(found.findings).toContainEqual(of('ports', 'warning', /it answers 404/, /health_port/));
  expect(found.exitCode).toBe(0);
});

test('disk: no space, no room for a backup, and a log that is not reset', () => {
  const mib = 1024 * 1024;
  const levels = (free: number, store: number, log: number) =>
    diskFindings('/data/redrive.db', {
      free: free * mib,
      store: store * mib,
      log: log * mib,
    }).map(({ level, message }) => `${level}: ${message}`);
  expect(levels(5_000, 100, 10)).toEqual([]);
  expect(levels(100, 10, 1)).toEqual([
    'problem: Only 100 MiB are free on the disk of /data/redrive.db.',
  ]);
  expect(levels(500, 900, 1)).toEqual([
    'warning: 500 MiB are free on the disk of /data/redrive.db.',
  ]);
  expect(levels(5_000, 100, 300)).toEqual([
    'warning: The write-ahead log of /data/redrive.db has 300 MiB: a reader keeps it from being reset.',
  ]);
});

/** A file for checks that look at it; the store itself is in memory. */
async function doctorAt(file: (path: string) => void | Promise<void>) {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': 'version: "1.1.0"\n' });
  await file(join(directory, 'jobs.db'));
  const store = { ...memoryStore(), name: 'sqlite' };
  const args = ['doctor', '--json', '--store', 'sqlite:./jobs.db'];
  const { exitCode, stdout } = await runMain(args, { directory, clock: systemClock, store });
  return { exitCode, ...JSON.parse(stdout) };
}

/** A file of this size that takes no room on the disk. */
function sparse(path: string, bytes: number) {
  closeSync(openSync(path, 'w'));
  truncateSync(path, bytes);
}

test('disk: the sizes of the file and of its log, and the room on its disk, are read', async () => {
  const mib = 1024 * 1024;
  const directory = scratchDirectory(onTestFinished);
  const path = join(directory, 'jobs.db');
  // The check reads nothing else: the others would open the files.
  const subject = { url: Promise.resolve('sqlite:./jobs.db'), invocation: { io: { directory } } };
  const found = () => checkDisk(subject as unknown as Subject);
  expect(await found()).toEqual([]);
  sparse(path, 10 * mib);
  sparse(`${path}-wal`, 300 * mib);
  expect(await found()).toEqual([
    of('disk', 'warning', /log of .*\/jobs\.db has 300 MiB/, /fuser/),
  ]);
  sparse(`${path}-wal`, mib);
  const { bavail, bsize } = statfsSync(directory);
  sparse(path, bavail * bsize + 1_000 * mib);
  expect(await found()).toEqual([
    of('disk', 'warning', /^[\d,]+ MiB are free on the disk of .*\/jobs\.db\.$/, /does not fit/),
  ]);
});

async function migrated(path: string) {
  const store = await openStore(path);
  await store.migrate();
  await store.close();
}

test('schema: tables of an older version are a warning, and those of this version are not', async () => {
  // A file without tables has version 0.
  const found = await doctorAt(() => {});
  expect(found.findings).toContainEqual(
    of(
      'schema',
      'warning',
      /have version 0; this version of redrive has \d+/,
      /^redrive store migrate$/,
    ),
  );
  const current = await doctorAt(migrated);
  expect(current.checks).toContainEqual({ name: 'schema', result: 'ok' });
});

test('workers: two versions at the same time are a warning, one is not', async () => {
  const store = memoryStore();
  const report = (name: string, version: string) =>
    store.reportWorker({
      ...{ name, version, host: 'a', pid: 1, handlers: ['mail'], concurrency: 1, running: 0 },
      state: 'working',
    });
  await report('w1', '1.2.0');
  await report('w2', '1.2.0');
  expect((await doctor({ store })).checks).toContainEqual({ name: 'workers', result: 'ok' });
  await report('w3', '1.10.0');
  const found = await doctor({ store });
  expect(found.exitCode).toBe(0);
  expect(found.findings).toContainEqual(
    of(
      'workers',
      'warning',
      /^Workers of 2 versions are running: 1\.10\.0, 1\.2\.0\.$/,
      /deployment/,
    ),
  );
});

test('a check that fails or hangs hides no other, and the process ends', async () => {
  const clock = virtualClock({ startMs: 1_800_000_000_000 });
  const broken: FullStore = {
    ...memoryStore({ clock }),
    counts: () => new Promise(() => {}),
    unreadableJobs: async () => {
      throw new Error('the disk is damaged');
    },
  };
  const exits: number[] = [];
  const running = doctor({ store: broken, clock, onExit: (code) => exits.push(code) });
  // Files are read in real time first.
  await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0);
  for (let round = 0; round < 20; round += 1) await clock.advance(1_000);
  const found = await running;
  expect(found.findings).toContainEqual(of('rows', 'problem', /the disk is damaged/, /./));
  expect(found.findings).toContainEqual(
    of('workers', 'problem', /workers did not end within 10 s/, /./),
  );
  expect(found.checks).toContainEqual({ name: 'unsealed', result: 'ok' });
  expect({ exits, exitCode: found.exitCode }).toEqual({ exits: [1], exitCode: 1 });
});
