import { auditStoreConformance } from '@redrive/testkit/conformance/audit-store';
import { describe, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

describe('the audit log of the Postgres store', () => {
  auditStoreConformance(server.emptyStore, { describe, it });
});
