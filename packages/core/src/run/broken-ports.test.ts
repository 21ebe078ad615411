import type { Breaker, Budget, Bulkhead, Clock } from '@redrive/core';
import { bulkhead, circuitBreaker, retry, retryBudget, systemClock } from '@redrive/core';
import { trackUnhandledRejections } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const broken = new Error('the port is broken');
const atOnce = { backoff: 'immediate' } as const;

interface Ports {
  readonly breaker: Breaker;
  readonly budget: Budget;
  readonly bulkhead: Bulkhead;
  readonly clock: Clock;
}

/** Ports that work, but for one method from its `nth` call on. */
function portsThatFailIn<P extends keyof Ports>(
  port: P,
  method: keyof Ports[P],
  nth: number,
): Ports {
  const ports = {
    breaker: circuitBreaker(),
    budget: retryBudget(),
    bulkhead: bulkhead({ limit: 1 }),
    clock: { ...systemClock },
  };
  const working: unknown = Reflect.get(ports[port], method);
  let calls = 0;
  Object.defineProperty(ports[port], method, {
    value: (...args: unknown[]) => {
      calls += 1;
      if (calls >= nth || typeof working !== 'function') throw broken;
      return working.apply(ports[port], args);
    },
  });
  return ports;
}

/** Fails twice, then succeeds: on its way it comes by every method of every port. */
const flaky = ({ attempt }: { attempt: number }) =>
  attempt < 3 ? Promise.reject(new Error('down')) : 'up';

describe('a port that throws fails the call, and never leaves it hanging', () => {
  it.each<[keyof Ports, string]>([
    ['breaker', 'admit'],
    ['breaker', 'record'],
    ['breaker', 'openForMs'],
    ['budget', 'allows'],
    ['budget', 'take'],
    ['budget', 'deposit'],
    ['clock', 'now'],
  ])('%s.%s', async (port, method) => {
    const rejections = trackUnhandledRejections();
    try {
      for (const nth of [1, 2, 3]) {
        const ports = portsThatFailIn(port, method as never, nth); // The names above are theirs.
        const result = await retry(flaky, atOnce, { ...ports }).catch((error: Error) => error);
        // Where a method is called less often, all went well; else its error comes out, be it as a cause.
        if (result === 'up') expect(nth).toBeGreaterThan(1);
        else expect([result, (result as Error).cause]).toContain(broken);
      }
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });
});
