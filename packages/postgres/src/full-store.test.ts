import { fullStoreConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

describe('the Postgres store with everything', () => {
  fullStoreConformance(server.emptyStore, { describe, it }, 'quick');
});
