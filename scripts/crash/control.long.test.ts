import { expect, test } from 'vitest';
import { CONTROL, control } from './faults/control.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- control`. The tests beside it share two cores: what is late here says nothing.
const FEW = { jobs: 80, kills: 4, pauses: 1, episodes: 7, workers: 3, leaseMs: 1_000 };
const SHORT = { ...CONTROL, ...FEW, slackMs: 20_000, seenWithinMs: 1_500, lostBesides: 20 };

test.each(['sqlite', 'postgres'] as const)(
  'on %s, nothing is lost, done twice or left behind, whatever is stopped meanwhile',
  { timeout: 180_000 },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => control(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ attempted: 80, kills: 4 });
    expect(figures['kill switches']).toBeGreaterThanOrEqual(4);
    expect(figures['sent back']).toBeGreaterThan(0);
    expect(figures['times parked']).toBeGreaterThan(0);
    expect(figures.succeeded).toBe(80);
  },
);
