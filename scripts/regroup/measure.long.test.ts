import { expect, test } from 'vitest';
import { withPlace } from '../crash/place.ts';
import { measureRegroup } from './measure.ts';

// The short form of `npm run regroup`: that nothing is lost and jobs go on, not how fast it is.
test.each(['sqlite', 'postgres'] as const)(
  'on %s a merge and a split move every letter once while jobs end',
  { timeout: 120_000 },
  async (kind) => {
    const settings = { letters: 3_000, livePerSecond: 50, calmMs: 500 };
    const [calm, merge, split] = await withPlace(kind, (place) => measureRegroup(place, settings));
    const all = calm?.counted.reduce((sum, count) => sum + count, 0) ?? 0;
    expect(all).toBeGreaterThanOrEqual(settings.letters);
    expect(merge).toMatchObject({ moved: all, counted: [all] });
    expect(split).toMatchObject({ moved: all, counted: calm?.counted });
    expect(merge?.live.count).toBeGreaterThan(0);
    expect(split?.live.count).toBeGreaterThan(0);
  },
);
