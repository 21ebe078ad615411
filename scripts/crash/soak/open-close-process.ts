// Opens and closes stores, some of them in threads that are terminated, until it ends in the middle of its work.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { seededRandom } from '@redrive/testkit';
import { type Ending, type OpenCloseSettings, PLANTED } from './open-close.ts';

/** Other processes hold the file's lock for moments. */
const OPTIONS = { timeoutMs: 60_000, onWarning: () => {} };
const MAX_WAIT_MS = 20;
/** This part of all cycles is a thread that is terminated. */
const TERMINATED = 0.05;

/** Opens the store, writes, reads or both, and closes it, before the answers or after them. */
async function cycle(file: string, random: () => number): Promise<void> {
  const store = await openStore(file, OPTIONS);
  const kind = Math.floor(random() * 3);
  const calls: Promise<unknown>[] = [];
  if (kind !== 0) calls.push(jobsOn(store, { run: () => {} }).enqueue('run', {}));
  if (kind !== 1) calls.push(store.counts());
  // A close rejects reads that have not begun.
  const work = Promise.allSettled(calls);
  if (random() < 0.5) await work;
  await store.close();
  await work;
}

/** A thread that is terminated at any moment, with all threads of its own. */
async function terminated(file: string, afterMs: number): Promise<void> {
  const thread = new Worker(new URL(import.meta.url), { workerData: file });
  await once(thread, 'online');
  await sleep(afterMs);
  await thread.terminate();
}

function end(ending: Ending): void {
  process.send?.(ending);
  if (ending === 'exit') process.exit(0);
  // What `process.exit` calls after the listeners, and what test runners call.
  if (ending === 'reallyExit')
    (process as unknown as { reallyExit(code: number): void }).reallyExit(0);
  if (ending === 'throw') throw new Error(PLANTED);
  process.kill(process.pid, 'SIGTERM');
}

if (isMainThread) {
  // Written by the harness.
  const { file, seed, cycles, ending } = JSON.parse(process.argv[2] ?? '{}') as OpenCloseSettings;
  const random = seededRandom(seed);
  for (let n = 0; n < cycles; n++) {
    if (random() < TERMINATED) await terminated(file, random() * 5 * MAX_WAIT_MS);
    else await cycle(file, random);
    process.send?.('cycle');
  }
  setTimeout(end, random() * MAX_WAIT_MS, ending);
  for (;;) await cycle(file, random);
}
const random = seededRandom(1);
for (;;) await cycle(workerData as string, random);
