import { expect, test } from 'vitest';
import { BROKER_LOSS, brokerLoss } from './faults/broker-loss.ts';
import { withPlace } from './place.ts';

// The short form of `npm run crash -- nats` and `rabbitmq`. The tests beside it share two cores: a late lease says nothing.
const SHORT = {
  ...BROKER_LOSS,
  ...{ events: 400, times: 1, prefetch: 32, leaseMs: 1_000, slackMs: 20_000, lostBesides: 20 },
  ...{ stallMs: 2_000, ackWaitMs: 3_000 },
};
const TIMEOUT_MS = 240_000;

test.each(['nats', 'rabbitmq'] as const)(
  'on %s, killed brokers and consumers, cut and stalled connections lose no event and double no effect',
  { timeout: TIMEOUT_MS },
  async (broker) => {
    const { figures, violations } = await withPlace('sqlite', (place) =>
      brokerLoss(broker, place, SHORT),
    );
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ attempted: 400, succeeded: 400, kills: 1 });
    expect(figures['left in the broker']).toBe(0);
  },
);

test.each([
  ['early acknowledgement', 'lost:'],
  ['random id', 'double effects in a transaction:'],
] as const)('a planted bug is found: %s', { timeout: TIMEOUT_MS }, async (bug, found) => {
  const { violations } = await withPlace('sqlite', (place) =>
    brokerLoss('nats', place, { ...SHORT, events: 200, bug }),
  );
  expect(violations).toContainEqual(expect.stringContaining(found));
});
