// The brokers, each with its raw client as a competent developer uses it: confirmed publishes, an acknowledgement for
// each message, prefetch 256.
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { connect as connectAmqp } from 'amqplib';
import { natsBus } from '../../packages/nats/dist/index.js';
import { rabbitmqBus } from '../../packages/rabbitmq/dist/index.js';
import { startNats, startRabbitmq } from '../../packages/testkit/src/services/index.ts';

export const prefetch = 256;

export const brokers = {
  nats: { label: 'NATS JetStream', start: startOnNats },
  rabbitmq: { label: 'RabbitMQ', start: startOnRabbitmq },
};

async function startOnNats() {
  const service = await startNats();
  const connection = await connectNats({ servers: service.url });
  const manager = await jetstreamManager(connection);
  const client = jetstream(connection);
  return {
    openBus: () => natsBus(service.url),
    sourceOf: (name) => ({ name, stream: name, subject: name }),
    /** @param handle gets a message's body and answers whether to acknowledge it; otherwise it is requeued. */
    async consumeRaw(name, handle) {
      const settings = { ack_policy: AckPolicy.Explicit, max_ack_pending: prefetch };
      await manager.consumers.add(name, { durable_name: 'raw', filter_subject: name, ...settings });
      const consumer = await client.consumers.get(name, 'raw');
      const messages = await consumer.consume({ max_messages: prefetch });
      const done = (async () => {
        for await (const message of messages) {
          if (handle(message.data)) message.ack();
          else message.nak();
        }
      })();
      return async () => {
        await messages.close();
        await done;
        await connection.flush();
      };
    },
    publishRaw: (name, body) => client.publish(name, body),
    async stop() {
      await connection.close();
      await service.stop();
    },
  };
}

async function startOnRabbitmq() {
  const service = await startRabbitmq();
  const connection = await connectAmqp(service.url);
  const confirming = await connection.createConfirmChannel();
  return {
    openBus: () => rabbitmqBus(service.url),
    sourceOf: (name) => ({ name, queue: name }),
    async consumeRaw(name, handle) {
      const channel = await connection.createChannel();
      await channel.prefetch(prefetch);
      const settle = (message, isHandled) =>
        isHandled ? channel.ack(message) : channel.nack(message, false, true);
      await channel.consume(name, (message) => {
        if (message !== null) settle(message, handle(message.content));
      });
      return () => channel.close();
    },
    publishRaw: (name, body) =>
      new Promise((resolve, reject) => {
        confirming.sendToQueue(name, body, { persistent: true }, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    async stop() {
      await connection.close();
      await service.stop();
    },
  };
}
