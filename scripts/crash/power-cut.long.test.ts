import { expect, test } from 'vitest';
import { POWER_CUT, powerCut } from './faults/power-cut.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- sqlite --only power-cut`.
const SHORT = { ...POWER_CUT, jobs: 40, images: 30 };
const TIMEOUT_MS = 60_000;

test('a power cut at any moment takes nothing that was acknowledged', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { figures, violations } = await withPlace('sqlite', (place) => powerCut(place, SHORT));
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ images: 30 });
  expect(figures['acknowledged before the last']).toBeGreaterThan(40);
});

test('on a disk that keeps nothing at a sync, what is missing is found', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { figures } = await withPlace('sqlite', (place) =>
    powerCut(place, { ...SHORT, images: 9, syncs: false }),
  );
  const found =
    Number(figures['images that do not open']) + Number(figures['acknowledged and missing']);
  expect(found).toBeGreaterThan(0);
});
