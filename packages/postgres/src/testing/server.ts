import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll } from 'vitest';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

/** One server for all tests of a file. Each test takes a schema of its own. */
export function testServer(settings: Readonly<Record<string, string>> = {}): {
  readonly service: PostgresService;
  newSchema(): string;
} {
  let service: PostgresService | undefined;
  let schemas = 0;
  beforeAll(async () => {
    service = await startPostgres({ settings });
  }, START_TIMEOUT_MS);
  afterAll(() => service?.stop());
  return {
    get service() {
      if (service === undefined) throw new Error('The server has not been started');
      return service;
    },
    newSchema() {
      schemas += 1;
      return `test_${schemas}`;
    },
  };
}
