import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats, nanos } from '@nats-io/transport-node';
import type { RetryManager } from '@redrive/core/manager';
import type { Bus, EventSource } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { rabbitmqBus } from '@redrive/rabbitmq';
import {
  type Service,
  startNats,
  startNatsCluster,
  startRabbitmq,
  startRabbitmqCluster,
} from '@redrive/testkit/services';
import { connect as connectRabbitmq } from 'amqplib';

export type BrokerKind = 'nats' | 'rabbitmq';

/** The source of the harness's events. The ids in `id` are the key: each copy of an event has another message id. */
export const SOURCE: EventSource = {
  name: 'harness',
  bus: 'main',
  stream: 'harness',
  queue: 'harness',
  handler: 'work',
  key: ['id'],
  // More than a run has: a full source would make the time until it takes messages that of its handlers.
  maxWaiting: 1_000_000,
};

/** Where the adapter of each broker finds messages. Each one reports names that its broker does not have. */
export function sourceOf(kind: BrokerKind, prefetch: number): EventSource {
  const { stream, queue, ...common } = SOURCE;
  return { ...common, prefetch, ...(kind === 'nats' ? { stream } : { queue }) };
}

export function openBus(url: string, manager?: RetryManager): Bus {
  return url.startsWith('nats:') ? natsBus(url, { manager }) : rabbitmqBus(url, { manager });
}

/** The address of a broker behind this port. */
export function urlOf(kind: BrokerKind, port: number): string {
  // A short heartbeat: by default a silent connection is given up after 20 s.
  return kind === 'nats'
    ? `nats://127.0.0.1:${port}`
    : `amqp://guest:guest@127.0.0.1:${port}?heartbeat=2`;
}

/** Starts a broker that has the source. @param ackWaitMs NATS delivers again the messages of a killed process after it. */
export async function startBroker(kind: BrokerKind, ackWaitMs: number): Promise<Service> {
  const service = await (kind === 'nats' ? startNats() : startRabbitmq());
  const url = urlOf(kind, service.port);
  if (kind === 'nats') {
    await declareOnNats(url, ackWaitMs, 1);
  } else {
    const connection = await connectRabbitmq(url);
    const channel = await connection.createChannel();
    // Not a quorum queue: on a single node RabbitMQ 3.10 loses one when it is killed right after the declaration.
    await channel.assertQueue(SOURCE.queue ?? '', { durable: true });
    await connection.close();
  }
  return service;
}

export interface BrokerCluster {
  readonly nodes: readonly Service[];
  /** Waits until each node may be killed without the loss of a majority. */
  healthy(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts three nodes that have the source: a stream with three replicas, or a quorum queue. */
export async function startBrokerCluster(
  kind: BrokerKind,
  ackWaitMs: number,
): Promise<BrokerCluster> {
  const cluster = await (kind === 'nats' ? startNatsCluster() : startRabbitmqCluster());
  const url = cluster.nodes.map(({ port }) => urlOf(kind, port)).join(',');
  if (kind === 'nats') await declareOnNats(url, ackWaitMs, 3);
  else await declare(url, kind);
  return cluster;
}

async function declareOnNats(url: string, ackWaitMs: number, replicas: number): Promise<void> {
  const { stream = '', name } = SOURCE;
  const connection = await connectNats({ servers: url.split(',') });
  const { streams, consumers } = await jetstreamManager(connection);
  await streams.add({ name: stream, subjects: [name], num_replicas: replicas });
  await declare(url, 'nats');
  await consumers.update(stream, name, { ack_wait: nanos(ackWaitMs) });
  await connection.close();
}

async function declare(url: string, kind: BrokerKind): Promise<void> {
  const bus = openBus(url);
  await bus.declare(sourceOf(kind, 1));
  await bus.close();
}
