import { fullStoreConformance } from '@redrive/testkit/conformance/store';
import { describe, it, vi } from 'vitest';
import { NO_SYNC, testServer } from './testing/server.ts';

// One of them plays more than a thousand schedules, statement by statement.
vi.setConfig({ testTimeout: 120_000 });

const server = testServer(NO_SYNC);

describe('the Postgres store with everything', () => {
  fullStoreConformance(server.emptyStore, { describe, it }, 'long');
});
