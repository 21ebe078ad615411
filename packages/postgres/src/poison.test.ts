import { poisonConformance } from '@redrive/testkit/conformance/poison';
import { describe, it, vi } from 'vitest';
import { NO_SYNC, testServer } from './testing/server.ts';

// Some minutes of virtual time, with a question to the server every second.
vi.setConfig({ testTimeout: 60_000 });

const server = testServer(NO_SYNC);

describe('on Postgres', () => {
  poisonConformance(server.emptyStore, { describe, it }, [
    { workers: 1, healthy: 9, poisonous: 1 },
    { workers: 2, healthy: 99, poisonous: 3 },
  ]);
});
