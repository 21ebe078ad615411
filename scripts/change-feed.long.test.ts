import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '@redrive/sqlite';
import { type MongodbReplicaSet, startMongodbReplicaSet } from '@redrive/testkit/services';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

// A real worker on a real store, over what `tsc -b` has built.
const launcher = fileURLToPath(new URL('../packages/cli/bin/redrive.cjs', import.meta.url));
const KILLS = 2;
const DOCUMENTS = 200;

let set: MongodbReplicaSet;
beforeAll(async () => {
  set = await startMongodbReplicaSet();
}, 300_000);
afterAll(() => set?.stop());

const configOf = (url: string) => `version: "1.1.0"
buses: { main: { url: "store:" } }
store: { url: "sqlite:./jobs.db" }
jobs: { lease_seconds: 5 }
sweeps:
  collections:
    archives: { source: "${url}", bus: main, changes: [insert] }
`;

test('redrive start: killed again and again, each inserted document has one event, and none is lost', async () => {
  const database = `feed_${process.pid}`;
  const directory = mkdtempSync(join(tmpdir(), 'redrive-feed-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const url = set.url.replace('/?', `/${database}?`);
  writeFileSync(join(directory, 'redrive.yaml'), configOf(url));
  const start = (): ChildProcess => {
    const args = [launcher, 'start', '--log-level', 'silent', '--health-port', 'off'];
    const child = spawn(process.execPath, args, { cwd: directory, stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const client = new MongoClient(set.url);
  onTestFinished(() => client.close());
  const documents = client.db(database).collection<{ _id: string }>('archives');

  let worker = start();
  const stored = async (): Promise<readonly string[]> => {
    if (!existsSync(`${directory}/jobs.db`)) return [];
    const store = await openStore(`${directory}/jobs.db`);
    try {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const filter = { handler: 'events.publish' };
        const page = await store.jobs(filter, { limit: 1_000, after });
        for (const { id } of page.jobs) ids.push(id);
        after = page.next;
      } while (after !== undefined);
      const payloads = await Promise.all(ids.map(async (id) => (await store.job(id))?.payload));
      return payloads.map((payload) =>
        payload?.kind === 'json' ? JSON.parse(payload.text).event.data.archive_id : '',
      );
    } catch {
      // The worker has not made its tables yet.
      return [];
    } finally {
      await store.close();
    }
  };
  // The feed begins with its first run: changes before it are not its own.
  const isFollowing = async () => {
    await documents.insertOne({ _id: `probe-${(await documents.countDocuments()) + 1}` });
    return (await stored()).length;
  };
  await expect.poll(isFollowing, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const from = (kill * DOCUMENTS) / KILLS;
    const before = (await stored()).length;
    for (let n = 0; n < DOCUMENTS / KILLS; n += 1) {
      await documents.insertOne({ _id: `d${from + n}` });
      if (n === 10 + 20 * kill) {
        await expect
          .poll(async () => (await stored()).length, { timeout: 60_000, interval: 20 })
          .toBeGreaterThan(before);
        worker.kill('SIGKILL');
        await once(worker, 'exit');
        worker = start();
      }
    }
  }
  const wanted = Array.from({ length: DOCUMENTS }, (_, n) => `d${n}`).sort();
  let own: string[] = [];
  const countOwn = async () => {
    own = (await stored()).filter((id) => id.startsWith('d'));
    return own.length;
  };
  await expect.poll(countOwn, { timeout: 90_000, interval: 500 }).toBeGreaterThanOrEqual(DOCUMENTS);
  expect(own.toSorted()).toEqual(wanted);
  worker.kill('SIGTERM');
  const [code] = await once(worker, 'exit');
  expect(code).toBe(0);
}, 300_000);
