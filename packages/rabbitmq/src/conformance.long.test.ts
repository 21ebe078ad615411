import { busConformance } from '@redrive/testkit/conformance/bus';
import { type RabbitmqService, startRabbitmq } from '@redrive/testkit/services';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { rabbitmqBus } from './rabbitmq-bus.ts';

let server: RabbitmqService;
let tests = 0;

// The first start on a machine may include the installation.
beforeAll(async () => {
  server = await startRabbitmq();
}, 300_000);

afterAll(() => server?.stop());

describe('the bus of RabbitMQ', () => {
  busConformance(
    async () => {
      tests += 1;
      const place = tests;
      return {
        bus: rabbitmqBus(server.url),
        source: (name) => ({ name, queue: `${name}-${place}` }),
        destination: (name) => `${name}-${place}`,
      };
    },
    { describe, it },
  );
});
