import { expect, test } from 'vitest';
import { KILL_AND_PAUSE, killAndPause } from './faults/kill-and-pause.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash`. The tests beside it share two cores: what is late here says nothing.
const SHORT = { ...KILL_AND_PAUSE, jobs: 150, kills: 8, pauses: 2, slackMs: 10_000 };
const TIMEOUT_MS = 120_000;

test.each(['sqlite', 'postgres'] as const)(
  'on %s, nothing is lost and nobody ends what is not theirs, whoever is killed or paused',
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => killAndPause(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ kills: 8, pauses: 2, attempted: 150 });
    expect(figures.succeeded).toBeGreaterThan(100);
  },
);

test('without fencing, ends of attempts that somebody else has taken over are found', {
  timeout: TIMEOUT_MS,
}, async () => {
  const unfenced = { fencing: false, jobs: 32, kills: 0, pauses: 3, longShare: 1 };
  const { violations } = await withPlace('sqlite', (place) =>
    killAndPause(place, { ...SHORT, ...unfenced }),
  );
  expect(violations).toContainEqual(expect.stringContaining('stale ends'));
});
