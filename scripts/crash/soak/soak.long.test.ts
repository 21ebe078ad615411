import { expect, test } from 'vitest';
import { withPlace } from '../place.ts';
import { OPEN_CLOSE, openClose } from './open-close.ts';
import { SOAK, soak } from './soak.ts';

// The short form of `npm run soak`: ten seconds. How fast it is, a long run on a quiet machine says.
const SHORT = {
  ...SOAK,
  ...{ seconds: 8, killEveryMs: 2_000, sampleEveryMs: 500, perSecond: 20, workers: 2 },
  // A process that has just started grows.
  samplesPerCollection: 2,
  flat: { heldMib: 256, openFiles: 32, walMib: 64 },
  ...{
    leaseMs: 1_000,
    sweepMs: 200,
    slackMs: 20_000,
    lostBesides: 20,
    slowdown: Number.POSITIVE_INFINITY,
  },
};

test.each(['sqlite', 'postgres'] as const)(
  'on %s, the states add up to what was accepted at every look, and nothing piles up',
  { timeout: 120_000 },
  async (kind) => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const { figures, violations } = await withPlace(kind, (place) =>
      soak(place, { ...SHORT, print }),
    );
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({
      attempted: 160,
      succeeded: 160,
      'states that do not add up': 0,
    });
    expect(figures.kills).toBeGreaterThan(1);
    expect(lines.length).toBeGreaterThan(5);
  },
);

test('processes that open and close stores and end in the middle of it neither crash nor hang', {
  timeout: 240_000,
}, async () => {
  const { figures, violations } = await withPlace('sqlite', (place) =>
    openClose(place, { ...OPEN_CLOSE, cycles: 60, seconds: 200, seed: 1, print: () => {} }),
  );
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ cycles: 60, 'core dumps': 0 });
});
