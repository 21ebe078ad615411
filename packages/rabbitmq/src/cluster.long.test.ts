import { isRedriveError } from '@redrive/core';
import { type RabbitmqCluster, startRabbitmqCluster } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { rabbitmqBus } from './rabbitmq-bus.ts';

const source = { name: 'orders', queue: 'orders' };
const MESSAGES = 100;

let cluster: RabbitmqCluster;

beforeAll(async () => {
  cluster = await startRabbitmqCluster();
}, 300_000);

afterAll(() => cluster?.stop());

test('the node of the connection is killed: no confirmed message is lost, and consuming goes on', {
  timeout: 180_000,
}, async () => {
  const bus = rabbitmqBus(cluster.url);
  onTestFinished(() => bus.close());
  await bus.declare(source);
  const taken = new Set<string | undefined>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  await bus.consume(source, { prefetch: 50 }, async (deliveries) => {
    for (const { id } of deliveries) taken.add(id);
    if (taken.size === 2 * MESSAGES) resolve();
  });
  for (let number = 0; number < 2 * MESSAGES; number++) {
    // The first address is the one that is connected, and its node leads the queue.
    if (number === MESSAGES) await cluster.nodes[0]?.kill();
    await confirmed(() =>
      bus.publish([{ destination: 'orders', body: new Uint8Array(), id: `m-${number}` }]),
    );
  }
  await all;
  expect(taken.size).toBe(2 * MESSAGES);
});

/** Publishes again until the broker answers, as the outbox does: with the same id. */
async function confirmed(publish: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await publish();
      return;
    } catch (error) {
      if (!isRedriveError(error, 'bus_unavailable')) throw error;
    }
  }
}
