import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type AttemptContext,
  pipeline,
  type RetryOptions,
  retry,
  retrySession,
} from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { retry as nodeRetry } from '@redrive/core/node';
import { expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const policy = { backoff: 'immediate', jitter: 'none', maxAttempts: 1_000_000 } as const;
const down = new Error('down');

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

type Operation = (context: AttemptContext) => Promise<void>;
type Entry = (operation: Operation, options: RetryOptions) => Promise<void>;

const entries: Record<string, Entry> = {
  retry: (operation, options) => retry(operation, policy, options),
  pipeline: (operation, options) => pipeline({ policy }).run(operation, options),
  retrySession: async (operation, options) => {
    for await (const { context, fail } of retrySession(policy, options)) {
      await operation(context).catch(fail);
    }
  },
  'retry of @redrive/core/node': (operation, options) => nodeRetry(operation, policy, options),
  RetryManager: (operation, { signal }) =>
    new RetryManager().executeWithRetry('KV_GET', 'get', operation, {
      policy,
      ...(signal && { signal }),
    }),
};

/** A loop kept 920 bytes for each attempt: it has the whole million. */
const attemptsOf = (name: string) => (name === 'retrySession' ? 1_000_000 : 200_000);

it.each(Object.entries(entries))(
  '%s stays flat over very many attempts',
  async (name, run) => {
    const attempts = attemptsOf(name);
    const { signal } = new AbortController();
    let earlyBytes = 0;
    let lateBytes = Infinity;
    await run(
      async ({ attempt }) => {
        if (attempt === attempts / 5) earlyBytes = heapBytes();
        if (attempt < attempts) throw down;
        lateBytes = heapBytes();
      },
      { signal },
    );
    // Four of five attempts lie in between: ten bytes for each would be too many.
    expect(lateBytes - earlyBytes).toBeLessThan(8 * attempts);
  },
  120_000,
);
