// A handler that returns and throws what no handler should.

export type Excess =
  | 'long text'
  | 'long texts'
  | 'long stack'
  | 'deep result'
  | 'deep error'
  | 'long causes'
  | 'prototype'
  | 'control characters';

export interface ExcessPayload {
  readonly excess: Excess;
  readonly bytes: number;
  readonly depth: number;
  /** What must not get into a log or a terminal. */
  readonly text: string;
}

export default function run(payload: ExcessPayload): unknown {
  const { excess, bytes, depth, text } = payload;
  switch (excess) {
    case 'long text':
      return 'x'.repeat(bytes);
    case 'long texts':
      return { parts: Array.from({ length: 16 }, () => 'x'.repeat(bytes / 16)) };
    case 'long stack': {
      const error = new Error('y'.repeat(bytes));
      error.stack = `Error: too long\n${'    at somewhere (file.ts:1:1)\n'.repeat(bytes / 30)}`;
      throw error;
    }
    case 'deep result':
      return nested(depth);
    case 'deep error':
      throw Object.assign(new Error('deep inside'), { details: nested(depth) });
    case 'long causes':
      throw causes(depth);
    case 'prototype': {
      // As any program does that merges what it gets.
      const merged = Object.assign({}, payload);
      if ('admin' in {}) throw new Error('All objects have been changed');
      return { merged: Object.hasOwn(merged, '__proto__'), ...merged };
    }
    case 'control characters':
      throw new Error(text);
  }
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = { value };
  return value;
}

function causes(depth: number): Error {
  let error = new Error('the first cause');
  for (let level = 0; level < depth; level++) error = new Error('caused', { cause: error });
  return error;
}
