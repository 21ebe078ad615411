import { expect, test } from 'vitest';
import { KILL_AND_PAUSE, killAndPause } from './faults/kill-and-pause.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash`. The tests beside it share two cores: what is late here says nothing.
const FEW = { jobs: 60, kills: 5, pauses: 1, workers: 3, leaseMs: 1_000 };
const SHORT = { ...KILL_AND_PAUSE, ...FEW, slackMs: 20_000, lostBesides: 20 };
const TIMEOUT_MS = 120_000;
/** There must be something to find: jobs outlast their leases, and a paused worker wakes after somebody took over. */
const TAKEN_OVER = {
  ...SHORT,
  jobs: 12,
  concurrency: 8,
  kills: 0,
  pauses: 2,
  longShare: 1,
  pauseUntilTaken: true,
};

test.each(['sqlite', 'postgres'] as const)(
  'on %s, nothing is lost and nobody ends what is not theirs, whoever is killed or paused',
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => killAndPause(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ kills: 5, pauses: 1, attempted: 60 });
    expect(figures.succeeded).toBeGreaterThan(40);
    expect(figures['scraped attempts']).toBeGreaterThan(40);
  },
);

test('without the ledger, effects that happen twice are found', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { violations } = await withPlace('sqlite', (place) =>
    killAndPause(place, { ...TAKEN_OVER, ledger: false }),
  );
  expect(violations).toContainEqual(expect.stringContaining('double effects in a transaction'));
});

// Without fencing, a stale end may finish a job that runs elsewhere. Then nobody takes that one over, and a pause waits for
// its whole patience: more pauses, and more time.
test('without fencing, ends of attempts that somebody else has taken over are found', {
  timeout: 3 * TIMEOUT_MS,
}, async () => {
  const { violations } = await withPlace('sqlite', (place) =>
    killAndPause(place, { ...TAKEN_OVER, jobs: 24, pauses: 4, fencing: false }),
  );
  expect(violations).toContainEqual(expect.stringContaining('stale ends'));
});
