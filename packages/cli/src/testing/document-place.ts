import { type Clock, systemClock } from '@redrive/core';
import { memoryDocuments } from '@redrive/durable/documents';

/** A collection of documents for a configuration that has the bus `main`. */
export const SWEEPS_CONFIG = `
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;

/** The collection as a source of documents sees it. */
export const ARCHIVES = {
  name: 'archives',
  fields: {
    ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
    ...{ mark: 'retry_sweep', error: 'lastError', read: [] },
  },
  ...{ pending: ['pending'], done: ['processed'], failed: 'failed_max_retries' },
};

/** Documents of this collection: a stuck one, and a failed one with its error. */
export function documentsWithAll(clock: Clock = systemClock) {
  const documents = memoryDocuments({ clock });
  const lastAttemptTime = new Date('2026-11-01T12:00:00Z');
  const tried = { attemptCount: 2, lastAttemptTime, lastError: 'no such file' };
  const retry_sweep = { firstStuckAt: new Date('2026-11-02T12:00:00Z') };
  documents.put(ARCHIVES, { _id: 'a-17', status: 'pending', ...tried, retry_sweep });
  documents.put(ARCHIVES, { _id: 'a-18', status: 'failed_max_retries', ...tried });
  return documents;
}
