import { workerData } from 'node:worker_threads';
import { CLOSE, serve } from '../thread/serve.ts';

// A thread that does what can go wrong.

const shared = new Int32Array(new SharedArrayBuffer(4));

Atomics.wait(shared, 0, 0, workerData.startsInMs ?? 0);

serve((tell) => ({
  echo: (input: unknown) => input,
  tell,
  fail: () => {
    throw new TypeError('no');
  },
  sleep: (ms: number) => Atomics.wait(shared, 0, 0, ms),
  die: () => process.exit(1),
  [CLOSE]: () => {},
}));
