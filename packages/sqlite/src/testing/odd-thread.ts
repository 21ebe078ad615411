import { CLOSE, serve } from '../thread/serve.ts';

// A thread that does what can go wrong.

const shared = new Int32Array(new SharedArrayBuffer(4));

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
