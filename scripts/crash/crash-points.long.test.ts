import { expect, test } from 'vitest';
import type { CrashPoint } from './crash-points.ts';
import { crashPoints } from './faults/crash-points.ts';
import { type StoreKind, withPlace } from './place.ts';

// The short form: some points once. `npm run crash -- sqlite --only crash-points` has all of them twenty times.
const POINTS: Readonly<Record<StoreKind, readonly CrashPoint[]>> = {
  sqlite: ['during enqueue', 'after claim', 'during settle', 'during rescue', 'at a sync'],
  postgres: ['after enqueue', 'during claim', 'after effect', 'before settle', 'after rescue'],
};

test.each(['sqlite', 'postgres'] as const)(
  'on %s, a crash at any point leaves every job to come to its one end',
  { timeout: 180_000 },
  async (kind) => {
    const points = POINTS[kind];
    const { figures, violations } = await withPlace(kind, (place) =>
      crashPoints(place, { seed: 1, points, times: 1 }),
    );
    expect(violations).toEqual([]);
    for (const point of points) expect(figures[point], point).toBe(1);
  },
);
