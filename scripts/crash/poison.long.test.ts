import { expect, test } from 'vitest';
import { POISON, poison } from './faults/poison.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- sqlite --only poison`. How much slower healthy jobs get is measured on a quiet
// machine only.
const SHORT = {
  ...POISON,
  ...{ jobs: 30, poisons: 3, perSecond: 100, workers: 2, leaseMs: 500, sweepMs: 100 },
  ...{ slowdown: Number.POSITIVE_INFINITY, slackMs: 20_000, lostBesides: 20 },
};

test.each(['sqlite', 'postgres'] as const)(
  'on %s, a job that ends its process is dead after its attempts, and the others succeed',
  { timeout: 120_000 },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => poison(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ poisons: 3, dead: 3, succeeded: 57 });
    expect(figures.kills).toBeGreaterThan(2);
  },
);

// One worker claims a job that exits and all others together, again and again.
const TOGETHER = { ...SHORT, jobs: 25, poisons: 1, perSecond: 1_000, workers: 1, concurrency: 25 };

test.each(['sqlite', 'postgres'] as const)(
  'on %s, one poisonous job kills none of the healthy ones that run beside it',
  { timeout: 120_000 },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => poison(place, TOGETHER));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ poisons: 1, dead: 1, succeeded: 49 });
  },
);
