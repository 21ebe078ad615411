import type { AuditReader, Store } from '@redrive/durable';
import { type AuditStore, positionOf } from '@redrive/durable/store';
import { allJobs } from '../../packages/testkit/src/conformance/store/invariants.ts';

/** What verification reads: the store's own, or one over a store at rest that has nothing sealed. */
export async function auditReaderOf(store: Store & Partial<AuditStore>): Promise<AuditReader> {
  if (store.readAudit !== undefined) return store.readAudit();
  const jobs = await allJobs(store);
  // By code unit, as ids are ASCII.
  jobs.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    anchors: async () => [],
    head: async () => undefined,
    async blocks(after, limit) {
      const blocks = await store.auditBlocks(after === '' ? 0 : Number(after), limit);
      return blocks.map((block) => ({ ...block, position: positionOf(block.seq) }));
    },
    lookups: async (after, limit) =>
      jobs
        .filter(({ id }) => id > after)
        .slice(0, limit)
        .map(({ id, revision, token, auditBlock, state }) => ({
          ...{ id, revision, token, auditBlock, state },
        })),
    policy: (hash) => store.policy(hash),
    close: async () => {},
  };
}
