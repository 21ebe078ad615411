import { presetConfig } from '@redrive/config';
import type { Clock } from '@redrive/core';
import { memoryDocuments, type Sweep } from '@redrive/durable/documents';

const HOUR_MS = 3_600_000;

/** A swept collection `archives`: two stuck documents, one of them beyond its attempts, an invalid one, two failed ones. */
export function sweptArchives(clock: Clock) {
  const documents = memoryDocuments({ clock });
  const policy = presetConfig().policies.get('documents.archives')?.policy;
  if (policy === undefined) throw new Error('There is no policy documents.archives');
  const sweep: Sweep = {
    ...{ name: 'archives', source: documents, policy, dependency: '' },
    collection: {
      name: 'archives',
      fields: {
        ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
        ...{ mark: 'retry_sweep', error: 'lastError', read: [] },
      },
      ...{ pending: ['pending'], done: ['processed'], failed: 'failed_max_retries' },
    },
    ...{ thresholdMs: 24 * HOUR_MS, minimumAgeMs: 0 },
    event: { type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested', data: {} },
  };
  const put = (id: string, fields: object) =>
    documents.put(sweep.collection, { _id: id, status: 'pending', ...fields });
  const ago = (hours: number) => new Date(clock.now() - hours * HOUR_MS);
  const stuck = { retry_sweep: { firstStuckAt: ago(2) } };
  const error = { lastError: 'login failed: password=pwHunter2024 for bob' };
  put('a-16', { attemptCount: 3, lastAttemptTime: ago(50), ...error, ...stuck });
  put('a-17', { attemptCount: 2, lastAttemptTime: ago(30), ...error, ...stuck });
  put('a-18', { attemptCount: -2, lastAttemptTime: ago(30) });
  for (const id of ['a-19', 'a-20'])
    put(id, { status: 'failed_max_retries', attemptCount: 3, lastAttemptTime: ago(60), ...error });
  put('a-21', { status: 'processed', attemptCount: 1, lastAttemptTime: ago(60) });
  return { sweep, documents };
}
