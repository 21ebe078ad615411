import { pipeline, retry, retrySession } from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { trackUnhandledRejections, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { RetryEvent } from './retry-options.ts';

const policy = { id: 'orders', baseDelayMs: 100, multiplier: 3, jitter: 'none' } as const;
const limited = Object.assign(new Error('slow down'), { status: 429 });

describe('onRetry', () => {
  it('is called before each wait, with the failed attempt and the wait', async () => {
    const clock = virtualClock();
    const seen: [number, RetryEvent][] = [];
    const call = retry(
      ({ attempt }) => Promise.reject(attempt === 1 ? new Error('down') : limited),
      policy,
      {
        clock,
        operation: 'order.send',
        sessionId: 'session-1',
        onRetry: (event) => seen.push([clock.monotonic(), event]),
      },
    ).catch(() => {});
    await Promise.all([call, clock.runAll()]);
    const shared = { sessionId: 'session-1', operation: 'order.send', maxAttempts: 3 };
    expect(seen).toEqual([
      [
        0,
        {
          ...shared,
          attempt: 1,
          error: new Error('down'),
          errorClass: 'retryable',
          delayMs: 100,
          reason: 'retryable_error',
        },
      ],
      [
        100,
        {
          ...shared,
          attempt: 2,
          error: limited,
          errorClass: 'rate_limited',
          delayMs: 300,
          reason: 'rate_limited',
        },
      ],
    ]);
  });

  it('is awaited by nobody, and an error that it throws or rejects with changes nothing', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const broken = [
        () => {
          throw new Error('broken');
        },
        () => Promise.reject(new Error('broken')),
        () => new Promise(() => {}),
      ];
      for (const onRetry of broken) {
        const operation = ({ attempt }: { attempt: number }) =>
          attempt < 3 ? Promise.reject('down') : 'up';
        expect(await retry(operation, { backoff: 'immediate' }, { onRetry })).toBe('up');
      }
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });

  it('is an option of a pipeline, of its call, of a loop and of the manager', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const as = (name: string) => () => seen.push(name);
    const down = ({ attempt }: { attempt: number }) =>
      attempt === 1 ? Promise.reject('down') : 'up';
    const loop = async () => {
      for await (const { attempt, fail } of retrySession(policy, { clock, onRetry: as('loop') })) {
        if (attempt === 1) fail('down');
      }
    };
    const calls = [
      pipeline({ policy, clock, onRetry: as('pipeline') }).run(down),
      pipeline({ policy, clock, onRetry: as('pipeline') }).run(down, { onRetry: as('its call') }),
      loop(),
      new RetryManager({ clock, onRetry: as('manager') }).executeWithRetry('KV_GET', 'get', down),
    ];
    await Promise.all([...calls, clock.runAll()]);
    expect(seen.sort()).toEqual(['its call', 'loop', 'manager', 'pipeline']);
  });
});
