import { expect, test } from 'vitest';
import { STALL, stall } from './faults/stall.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- sqlite --only stall`. A stall ends when another worker has the job, however slow
// the machine is.
const SHORT = {
  ...STALL,
  jobs: 6,
  every: 6,
  workers: 2,
  leaseMs: 500,
  sweepMs: 100,
  slackMs: 20_000,
  lostBesides: 20,
};
const TIMEOUT_MS = 120_000;

test.each(['sqlite', 'postgres'] as const)(
  'on %s, who stalls past its lease cannot end what others have taken over',
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => stall(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ stalls: 1, attempted: 6, succeeded: 6 });
    expect(figures['ends refused']).toBeGreaterThan(0);
  },
);

test('without fencing, what a stalled worker ends is found', { timeout: TIMEOUT_MS }, async () => {
  const { violations } = await withPlace('sqlite', (place) =>
    stall(place, { ...SHORT, jobs: 12, fencing: false }),
  );
  expect(violations).toContainEqual(expect.stringContaining('stale ends'));
});
