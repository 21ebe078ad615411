import { expect, test } from 'vitest';
import { STARVATION, starvation } from './faults/starvation.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- postgres --only starvation`.
const SHORT = { ...STARVATION, rounds: 1, roundLeases: 1.3 };
const TIMEOUT_MS = 120_000;

test.each(['sqlite', 'postgres'] as const)(
  'on %s, handlers that use up the database do not cost each other their leases',
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => starvation(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ 'leases lost': 0, 'not finished': 0 });
  },
);

test('heartbeats that wait behind the work are found', { timeout: TIMEOUT_MS }, async () => {
  const { violations } = await withPlace('postgres', (place) =>
    starvation(place, { ...SHORT, leaseMs: 1_000, heartbeats: false }),
  );
  expect(violations).toContainEqual(expect.stringContaining('leases lost'));
});
