import { expect, test } from 'vitest';
import { SWEEP, sweep } from './faults/sweep.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- sweep`.
const SHORT = { ...SWEEP, documents: 300, kills: 1, pauses: 1 };
const TIMEOUT_MS = 120_000;

test.each(['sqlite', 'postgres'] as const)(
  'on %s, sweepers that are killed after each step or paused lose no document and send none twice',
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => sweep(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ documents: 300, 'given up': 30, 'paused past the lease': 1 });
  },
);

test('without the compare-and-set, documents that are sent twice are found', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { violations } = await withPlace('sqlite', (place) =>
    sweep(place, { ...SHORT, kills: 0, fencing: false }),
  );
  expect(violations).toContainEqual(expect.stringContaining('sent twice in a window:'));
});
