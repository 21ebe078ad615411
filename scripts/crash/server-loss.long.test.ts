import { expect, test } from 'vitest';
import { SERVER_LOSS, serverLoss } from './faults/server-loss.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- postgres --only server-loss`.
const SHORT = {
  ...SERVER_LOSS,
  jobs: 40,
  terminations: 4,
  everyMs: 500,
  restarts: 1,
  leaseMs: 1_500,
  workers: 2,
};

test('workers survive the loss of all connections and of the whole server', {
  timeout: 120_000,
}, async () => {
  const { figures, violations } = await withPlace('postgres', (place) => serverLoss(place, SHORT));
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ attempted: 40, 'server kills': 1 });
  expect(figures['connections cut']).toBeGreaterThan(5);
});
