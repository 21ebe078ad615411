import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { retryBudget } from './retry-budget.ts';

const REQUESTS_PER_SECOND = 1_000;
const LAYERS = 3;
const MAX_ATTEMPTS = 4;
const MINUTE_MS = 60_000;

type Answer = 'success' | 'failure' | 'gave up';

interface Protection {
  /** The dependency's budget has to allow a retry, at whatever layer. */
  readonly budget: boolean;
  /** A layer does not retry what the one below has given up. */
  readonly innermostOnly: boolean;
}

/**
 * One process, three layers that each make up to four attempts at the next one, a dependency that is well for a
 * minute, dead for a minute and well again. Counts the calls that reach it, as multiples of the plain load.
 */
function simulate({ budget, innermostOnly }: Protection) {
  const clock = virtualClock();
  const tokens = retryBudget({ clock });
  let alive = true;
  let calls = 0;

  function request(layer: number): Answer {
    if (layer === LAYERS) {
      calls += 1;
      return alive ? 'success' : 'failure';
    }
    for (let attempt = 1; ; attempt++) {
      const answer = request(layer + 1);
      if (answer === 'success') {
        // The layer that made the call itself deposits, not each one above it.
        if (layer === LAYERS - 1) tokens.deposit();
        return answer;
      }
      if (attempt === MAX_ATTEMPTS || (innermostOnly && answer === 'gave up')) return 'gave up';
      if (budget) {
        if (!tokens.allows('retryable')) return 'gave up';
        tokens.take('retryable');
      }
    }
  }

  function minute(): number {
    calls = 0;
    const intervalMs = 1_000 / REQUESTS_PER_SECOND;
    for (let i = 0; i < MINUTE_MS / intervalMs; i++) {
      request(0);
      clock.tick(intervalMs);
    }
    return calls / (MINUTE_MS / intervalMs);
  }

  const before = minute();
  alive = false;
  const dead = minute();
  alive = true;
  return { before, dead, after: minute() };
}

test('without protection three layers of three retries multiply to 64', () => {
  expect(simulate({ budget: false, innermostOnly: false })).toEqual({
    before: 1,
    dead: 64,
    after: 1,
  });
});

test('if only the innermost layer retries it is still 4', () => {
  expect(simulate({ budget: false, innermostOnly: true }).dead).toBe(4);
});

test('a budget for the dependency keeps a dead minute below 1.1 times the plain load', () => {
  const { dead } = simulate({ budget: true, innermostOnly: false });
  expect(dead).toBeLessThanOrEqual(1.1);
});

test('with both it is the burst and the floor: 700 retries on 60,000 requests', () => {
  const { dead, before, after } = simulate({ budget: true, innermostOnly: true });
  expect(dead).toBeLessThanOrEqual(1.1);
  expect(dead).toBeCloseTo(1 + 700 / 60_000, 3);
  expect([before, after]).toEqual([1, 1]);
});
