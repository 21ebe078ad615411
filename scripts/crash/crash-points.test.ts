import { expect, test } from 'vitest';
import { crashPoints, pointsOf } from './faults/crash-points.ts';
import { withPlace } from './place.ts';

// The short form: each point once. `npm run crash -- sqlite --only crash-points` has each of them twenty times.
test.each(['sqlite', 'postgres'] as const)(
  'on %s, a crash at any point leaves every job to come to its one end',
  { timeout: 180_000 },
  async (kind) => {
    const points = pointsOf(kind);
    const { figures, violations } = await withPlace(kind, (place) =>
      crashPoints(place, { seed: 1, points, times: 1 }),
    );
    expect(violations).toEqual([]);
    for (const point of points) expect(figures[point], point).toBe(1);
  },
);
