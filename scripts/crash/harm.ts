import { join } from 'node:path';
import type { Deed } from './evidence.ts';
import { readJournal } from './journal.ts';
import type { Harm, Work } from './workload.ts';

const STALL_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Does to this process what the job has in mind. Returns only from a stall. */
export function doHarm(harm: Harm, work: Work, token: number, directory: string): void {
  switch (harm) {
    case 'stall':
      stallUntilTaken(work, token, directory);
      return;
    case 'exit':
      process.exit(1);
      break;
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      // The signal comes at the latest with the next call of the operating system.
      stallUntilTaken(work, token, directory);
      break;
    case 'memory':
      useUpMemory();
  }
}

/** Keeps the event loop: no timer, no heartbeat and no answer gets through until another worker has started the job. */
function stallUntilTaken({ key }: Work, token: number, directory: string): void {
  const tokens = (): readonly number[] =>
    readJournal<Deed>(join(directory, 'deeds'))
      .filter((deed) => deed.what === 'start' && deed.key === key)
      .map((deed) => deed.token);
  // Only who is first stalls.
  if (tokens().some((each) => each < token)) return;
  const isTaken = (): boolean => tokens().some((each) => each > token);
  const endMs = performance.now() + STALL_TIMEOUT_MS;
  while (!isTaken() && performance.now() < endMs) pauseThread(LOOK_EVERY_MS);
}

function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Until V8 ends the process. */
function useUpMemory(): never {
  const kept: object[] = [];
  for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})));
}
