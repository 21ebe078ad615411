import { expect, test } from 'vitest';
import { BROKER_CLUSTER, brokerCluster } from './faults/broker-cluster.ts';
import { withPlace } from './place.ts';

// Short forms of `npm run cluster`. Tests share two cores with others: a late lease says nothing.
const SHORT = {
  ...BROKER_CLUSTER,
  ...{ events: 1_200, kills: 3, prefetch: 32, slackMs: 20_000, lostBesides: 20 },
  ...{ ackWaitMs: 3_000, stopMs: 5_000, seenWithinMs: 3_000, consumingWithinMs: 30_000 },
};
const TIMEOUT_MS = 240_000;

test('three nodes of NATS, each killed in turn: no event is lost, no effect doubled, and two processes obey one kill switch', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { figures, violations } = await withPlace('sqlite', (place) =>
    brokerCluster('nats', place, SHORT),
  );
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ attempted: 1_200, succeeded: 1_200, 'nodes killed': 3 });
  expect(figures['left in the broker']).toBe(0);
});

test('a planted bug is found: early acknowledgement', { timeout: TIMEOUT_MS }, async () => {
  const { violations } = await withPlace('sqlite', (place) =>
    brokerCluster('nats', place, { ...SHORT, kills: 1, bug: 'early acknowledgement' }),
  );
  expect(violations).toContainEqual(expect.stringContaining('lost:'));
});

// The start of three nodes and their restarts take minutes.
test('three nodes of RabbitMQ, each killed in turn: no event is lost, no effect doubled, and two processes obey one kill switch', async () => {
  const { figures, violations } = await withPlace('sqlite', (place) =>
    brokerCluster('rabbitmq', place, SHORT),
  );
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ attempted: 1_200, succeeded: 1_200, 'nodes killed': 3 });
  expect(figures['left in the broker']).toBe(0);
});
