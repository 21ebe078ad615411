import { expect, test } from 'vitest';
import { withPlace } from '../crash/place.ts';
import { measureBulk } from './measure.ts';

// The short form of `npm run bulk-acts`: that it measures, not how fast it is.
test.each(['sqlite', 'postgres'] as const)(
  'on %s live jobs end while others are requeued',
  { timeout: 120_000 },
  async (kind) => {
    const figures = await withPlace(kind, (place) =>
      measureBulk(place, { letters: 1_000, livePerSecond: 50, calmMs: 500, works: false }),
    );
    expect(figures.acted).toBe(1_000);
    expect(figures.calm.count).toBeGreaterThan(0);
    expect(figures.busy.count).toBeGreaterThan(0);
  },
);
