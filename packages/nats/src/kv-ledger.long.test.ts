import { virtualClock } from '@redrive/testkit';
import { ledgerConformance } from '@redrive/testkit/conformance/ledger';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { natsLedger } from './kv-ledger.ts';

let server: NatsService;

beforeAll(async () => {
  server = await startNats();
}, 180_000);

afterAll(() => server?.stop());

describe('the ledger on JetStream KV', () => {
  ledgerConformance(
    async () => {
      const clock = virtualClock();
      const ledger = natsLedger(server.url, { now: () => clock.now() });
      return { ledger, clock, close: () => ledger.close() };
    },
    { describe, it: (name, body) => it(name, { timeout: 180_000 }, body) },
    'long',
  );
});
