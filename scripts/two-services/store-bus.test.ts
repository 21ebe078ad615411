import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll, test } from 'vitest';
import { runBothServices } from './scenario.ts';

let server: PostgresService;
beforeAll(async () => {
  server = await startPostgres();
}, 180_000);
afterAll(() => server?.stop());

test(
  'without a broker both services go through a kill and an outage',
  {
    timeout: 120_000,
  },
  () => runBothServices({ server }),
);
