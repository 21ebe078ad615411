import { expect, test } from 'vitest';
import { KILL_STORM, killStorm } from './faults/kill-storm.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- kill-storm`. The tests beside it share two cores: what is late here says nothing.
const FEW = { jobs: 60, kills: 10, gapMs: 400, leaseMs: 1_000, sweepMs: 200 };
const SHORT = { ...KILL_STORM, ...FEW, slackMs: 20_000 };

test.each(['sqlite', 'postgres'] as const)(
  'on %s, nothing is lost in a storm of kills, in which healthy jobs lose process after process',
  { timeout: 180_000 },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => killStorm(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ kills: 10, succeeded: 60 });
    expect(figures['lost once: jobs']).toBeGreaterThan(0);
  },
);
