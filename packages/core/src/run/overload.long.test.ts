import { definePolicy, retry, retryBudgets } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';

const REQUESTS_PER_SECOND = 1_000;
/** Three retries. */
const MAX_ATTEMPTS = 4;

interface Layers {
  /** The names of the three layers' dependencies. Empty: anonymous, without a budget. */
  readonly dependencies: readonly [string, string, string];
  /** A layer retries what the one below has given up, as if it were any other error. */
  readonly retryInnerFailures?: boolean;
  /** Each layer passes its context to the next one. */
  readonly share?: boolean;
  /** How long it is dead. Default 60. */
  readonly seconds?: number;
}

/**
 * One process, a request every millisecond, three layers of retry with three retries each, and a dependency that is dead
 * for so long. Answers with the calls that reach it, as a multiple of the plain load.
 */
async function loadOfADeadDependency(layers: Layers) {
  const { dependencies: names, retryInnerFailures = false, share, seconds = 60 } = layers;
  const requests = REQUESTS_PER_SECOND * seconds;
  const clock = virtualClock();
  const budgets = retryBudgets({ clock });
  const down = new Error('down');
  let calls = 0;
  const bottom = () => {
    calls += 1;
    return Promise.reject(down);
  };
  const layer = (dependency: string) => ({
    policy: definePolicy({ maxAttempts: MAX_ATTEMPTS, dependency, retryInnerFailures }),
    options: { clock, budget: dependency !== '' && budgets.for(dependency) },
  });
  const [outer, middle, inner] = [layer(names[0]), layer(names[1]), layer(names[2])];
  const request = () =>
    retry(
      (first) =>
        retry(
          (second) =>
            retry(
              bottom,
              inner.policy,
              share ? { ...inner.options, parent: second } : inner.options,
            ),
          middle.policy,
          share ? { ...middle.options, parent: first } : middle.options,
        ),
      outer.policy,
      outer.options,
    ).catch(() => {});

  for (let n = 0; n < requests; n++) {
    void request();
    // Promises get their turn when a retry may be due; that is often enough.
    if (n % 10 === 9) await clock.advance(10);
  }
  await clock.runAll();
  return calls / requests;
}

test('one budget for the dependency keeps it at 1.1 times the plain load', async () => {
  const load = await loadOfADeadDependency({ dependencies: ['store', 'store', 'store'] });
  expect(load).toBeLessThanOrEqual(1.1);
  // The burst of 100 and ten per second: the floor that lets a quiet client retry.
  expect(load).toBeCloseTo(1 + 700 / 60_000, 2);
});

test('so does a budget for each layer, since a refusal is not retried further up', async () => {
  const load = await loadOfADeadDependency({
    dependencies: ['front', 'orders', 'store'],
    retryInnerFailures: true,
  });
  expect(load).toBeLessThanOrEqual(1.1);
});

test('so it is when the layers share one account', async () => {
  const load = await loadOfADeadDependency({ dependencies: ['a', 'b', 'store'], share: true });
  expect(load).toBeLessThanOrEqual(1.1);
});

test('without any of that it is 64 times the plain load', async () => {
  const anonymous = ['', '', ''] as const;
  const unprotected = { dependencies: anonymous, retryInnerFailures: true, seconds: 1 };
  expect(await loadOfADeadDependency(unprotected)).toBe(64);
  expect(await loadOfADeadDependency({ dependencies: anonymous, seconds: 1 })).toBe(4);
});
