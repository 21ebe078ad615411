import { expect, test } from 'vitest';
import { SERVER_LOSS, serverLoss } from './faults/server-loss.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- postgres --only server-loss`.
const SHORT = {
  ...SERVER_LOSS,
  jobs: 100,
  terminations: 5,
  everyMs: 700,
  restarts: 2,
  slackMs: 10_000,
};

test('workers survive the loss of all connections and of the whole server', {
  timeout: 120_000,
}, async () => {
  const { figures, violations } = await withPlace('postgres', (place) => serverLoss(place, SHORT));
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ attempted: 100, 'server kills': 2 });
  expect(figures['connections cut']).toBeGreaterThan(5);
});
