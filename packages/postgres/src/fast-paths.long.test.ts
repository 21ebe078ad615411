import { fullStoreConformance, storeConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { WITHOUT_CURSOR } from './fast-paths.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC, WITHOUT_CURSOR);

describe('the Postgres store with every fast path from 1 on', () => {
  storeConformance(server.emptyStore, { describe, it });
  fullStoreConformance(server.emptyStore, { describe, it }, 'quick');
});
