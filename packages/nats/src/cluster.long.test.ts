import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { isRedriveError } from '@redrive/core';
import { type NatsCluster, startNatsCluster } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { natsBus } from './nats-bus.ts';

const source = { name: 'orders', stream: 'ORDERS', subject: 'orders' };
const MESSAGES_PER_OUTAGE = 100;

let cluster: NatsCluster;

beforeAll(async () => {
  cluster = await startNatsCluster();
}, 180_000);

afterAll(() => cluster?.stop());

test('each of three nodes is killed in turn: no confirmed message is lost, and consuming goes on', {
  timeout: 180_000,
}, async () => {
  const connection = await connect({ servers: cluster.url.split(',') });
  onTestFinished(() => connection.close());
  const { streams } = await jetstreamManager(connection);
  await streams.add({ name: source.stream, subjects: [source.subject], num_replicas: 3 });

  const bus = natsBus(cluster.url);
  onTestFinished(() => bus.close());
  expect(await bus.declare(source)).toEqual(['consumer orders']);
  const taken = new Set<string | undefined>();
  let wanted = Promise.withResolvers<void>();
  let count = 0;
  await bus.consume(source, { prefetch: 50 }, async (deliveries) => {
    for (const { id } of deliveries) taken.add(id);
    if (taken.size >= count) wanted.resolve();
  });

  for (const node of cluster.nodes) {
    await node.kill();
    wanted = Promise.withResolvers<void>();
    const from = count;
    count += MESSAGES_PER_OUTAGE;
    for (let number = from; number < count; number++) {
      await confirmed(() =>
        bus.publish([{ destination: source.subject, body: new Uint8Array(), id: `m-${number}` }]),
      );
    }
    if (taken.size < count) await wanted.promise;
    await node.restart();
    await cluster.healthy(60_000);
  }
  expect(taken.size).toBe(3 * MESSAGES_PER_OUTAGE);
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
