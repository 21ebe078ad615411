import { busConformance } from '@redrive/testkit/conformance/bus';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { natsBus } from './nats-bus.ts';

let server: NatsService;
let tests = 0;

// The first start on a machine may include the installation.
beforeAll(async () => {
  server = await startNats();
}, 180_000);

afterAll(() => server?.stop());

describe('the bus of JetStream', () => {
  busConformance(
    async () => {
      tests += 1;
      const place = tests;
      return {
        bus: natsBus(server.url),
        source: (name) => ({ name, stream: `${name}-${place}`, subject: `${name}.${place}` }),
        destination: (name) => `${name}.${place}`,
      };
    },
    { describe, it },
  );
});
