import { expect, test } from 'vitest';
import { POSTGRES_CLUSTER, postgresCluster } from './faults/postgres-cluster.ts';
import { withPlace } from './place.ts';

// The short form of `npm run cluster -- postgres`. Tests share two cores with others: a late lease says nothing.
const SHORT = {
  ...POSTGRES_CLUSTER,
  ...{ jobs: 200, kills: 1, workers: 2, leaseMs: 1_000, slackMs: 20_000, workingWithinMs: 30_000 },
};
const TIMEOUT_MS = 120_000;

test('a primary with a synchronous standby is killed under load: nothing is lost, and tokens never go back', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { figures, violations } = await withPlace('postgres', (place) =>
    postgresCluster(place, SHORT),
  );
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, 'tokens that did not rise': 0, 'primaries killed': 1 });
  expect(figures.accepted).toBeGreaterThan(50);
});

test('with an asynchronous standby the loss is found by the checks, and reported by the processes', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { figures, violations } = await withPlace('postgres', (place) =>
    postgresCluster(place, { ...SHORT, bug: 'asynchronous standby' }),
  );
  expect(violations).toContainEqual(expect.stringContaining('lost:'));
  expect(figures['losses reported']).toBeGreaterThan(0);
});
