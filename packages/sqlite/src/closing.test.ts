import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CURRENT_SCHEMA } from './database/schema.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { claimOf, enqueueOf, settleOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { type Call, newStartFlag, type Reply } from './thread/protocol.ts';
import { CLOSE } from './thread/serve.ts';
import { threadProgram } from './thread/thread-program.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  place.remove();
});

/** Runs a module on the sources, and answers how it ended. */
function run(code: string) {
  const file = join(place.directory, 'script.mts');
  const open = new URL('./open-store.ts', import.meta.url);
  const commands = new URL('./testing/commands.ts', import.meta.url);
  writeFileSync(
    file,
    `import { openStore } from '${open}';
     import { claimOf, enqueueOf, settleOf } from '${commands}';
     const store = await openStore('${place.path}', { timeoutMs: 20_000 });
     await store.migrate();
     ${code}`,
  );
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    timeout: 25_000,
  });
  return { status, signal, stdout, stderr };
}

const CLEAN = { status: 0, signal: null, stderr: '' };

/** Files of the store that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(place.directory) ? [file] : [];
    } catch {
      return [];
    }
  });
}

describe('a store that is closed', () => {
  it('leaves no thread, timer or listener that keeps the process alive', () => {
    const work = `
      store.watch(() => {});
      await store.apply([enqueueOf('a')]);
      const [{ jobs }] = await store.apply([claimOf(1)]);
      await store.heartbeat(jobs, 1_000);
      await store.apply(jobs.map((job) => settleOf(job)));
      await store.counts();
      await store.close();
      console.log('closed');`;
    expect(run(work)).toEqual({ ...CLEAN, stdout: 'closed\n' });
  });

  it('leaves no file open, and no log beside the database', async () => {
    const store = await openMade(place.path);
    await store.apply([enqueueOf('a')]);
    await store.counts();
    expect(openFiles()).not.toEqual([]);
    await store.close();
    expect(openFiles()).toEqual([]);
    expect(readdirSync(place.directory)).toEqual(['store.db']);
  });
});

it.each([
  ['writer/writer-thread', 'open'],
  ['reader/reader-thread', 'counts'],
] as const)(
  'the thread %s closes the file, answers, and ends, in this order',
  async (main, task) => {
    await (await openMade(place.path)).close();
    const [program, options] = threadProgram(main);
    const data = { path: place.path, busyMs: 1_000, audited: true };
    const code = { fastPaths: FAST_PATHS, schema: CURRENT_SCHEMA };
    const worker = new Worker(program, {
      ...options,
      workerData: { ...data, ...code, startFlag: newStartFlag() },
    });
    const steps: string[] = [];
    const isOpen = () => (openFiles().length > 0 ? 'open' : 'closed');
    worker.on('message', (reply: Reply) => {
      if (!('number' in reply)) return;
      steps.push(`${'failure' in reply ? 'failed' : 'answered'} ${reply.number}, ${isOpen()}`);
      // The last one comes too late.
      if (reply.number === 1) {
        for (const number of [2, 3]) {
          worker.postMessage({ number, name: CLOSE, input: undefined } satisfies Call);
        }
      }
    });
    worker.postMessage({ number: 1, name: task, input: {} } satisfies Call);
    await once(worker, 'exit');
    expect(steps).toEqual(['answered 1, open', 'answered 2, closed']);
  },
);

it('a process that ends while it waits for the lock of the file ends at once', async () => {
  const db = new DatabaseSync(place.path);
  db.exec('PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE');
  const open = new URL('./open-store.ts', import.meta.url);
  const program = `
    import { openStore } from '${open}';
    openStore('${place.path}', { timeoutMs: 600_000 }).then((store) => store.migrate());
    // The thread has the file open, and cannot have its lock.
    const { readdirSync, readlinkSync } = await import('node:fs');
    const isOpen = () => readdirSync('/proc/self/fd').some((fd) => {
      try { return readlinkSync('/proc/self/fd/' + fd) === '${place.path}'; } catch { return false; }
    });
    const timer = setInterval(() => { if (isOpen()) { clearInterval(timer); throw new Error('planned'); } }, 10);`;
  const file = join(place.directory, 'script.mts');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  // The lock is still held.
  expect(await once(child, 'exit')).toEqual([1, null]);
  db.close();
});

it('a process that forgets to close ends all the same, when it owes no answer any more', () => {
  const forgetful = `
    store.watch(() => {});
    await store.counts();
    store.apply([enqueueOf('a')]).then(() => console.log('stored'));`;
  expect(run(forgetful)).toEqual({ ...CLEAN, stdout: 'stored\n' });
});

it('a store through its threads: a job from the beginning to the end', async () => {
  const store = await openMade(place.path);
  const changes: string[] = [];
  const stop = store.watch((change) => changes.push(change));
  await store.apply([enqueueOf('a')]);
  expect(changes).toEqual(['ready']);
  const [{ jobs }] = await store.apply([claimOf(5)]);
  expect(jobs).toMatchObject([{ id: 'a', state: 'leased', token: 1, account: { claims: 1 } }]);
  expect(await store.heartbeat(jobs, 60_000)).toEqual(['held']);
  expect(await store.apply(jobs.map((job) => settleOf(job)))).toEqual([{ ok: true }]);
  expect(changes).toContain('finished');
  expect(await store.finished(['a'])).toMatchObject([{ state: 'succeeded' }]);
  stop();
  await store.close();
});
