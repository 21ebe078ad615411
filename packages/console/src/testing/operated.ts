import { type Config, parseConfig, presetConfig } from '@redrive/config';
import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { memoryDocuments, type Sweep } from '@redrive/durable/documents';
import { reportSource } from '@redrive/durable/store';

const HOUR_MS = 3_600_000;

const FILE = `version: "1.1.0"
buses: { main: { url: "nats://svc:busHunter9@127.0.0.1:4222" } }
policies:
  invoice:
    extends: runs.default
    max_delay: 900
    jitter_type: full
    jitter_amount: 1
    attempt_timeout: 30
    ttl: 86400
    dependency: bank
jobs:
  handlers:
    invoice: { command: ["true"], policy: invoice, idempotent: true }
    chunk: { command: ["true"], idempotent: true }
events: { sources: { chunking: { bus: main, handler: chunk, stream: DOCS, subject: docs.parsed } } }
`;

/** A configuration with a policy, a source and handlers. */
export function operatedConfig(): Config {
  const { config, problems } = parseConfig(FILE);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

/** A swept collection with documents of every reason. */
export function stuckArchives(): Sweep & { readonly put: (id: string, fields: object) => void } {
  const documents = memoryDocuments();
  const policy = presetConfig().policies.get('documents.archives')?.policy;
  if (policy === undefined) throw new Error('There is no policy documents.archives');
  const collection = {
    name: 'archives',
    fields: {
      ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
      ...{ mark: 'retry_sweep', error: 'lastError', read: [] },
    },
    ...{ pending: ['pending'], done: ['processed'], failed: 'failed_max_retries' },
  };
  const put = (id: string, fields: object) =>
    void documents.put(collection, { _id: id, status: 'pending', ...fields });
  const ago = (hours: number) => new Date(systemClock.now() - hours * HOUR_MS);
  const error = { lastError: 'login failed: password=pwHunter2024 for bob' };
  const stuck = { retry_sweep: { firstStuckAt: ago(2), foundAt: ago(3) } };
  put('a-15', stuck);
  put('a-16', { attemptCount: 3, lastAttemptTime: ago(50), ...error, ...stuck });
  put('a-17', { attemptCount: 2, lastAttemptTime: ago(30), ...error, ...stuck });
  put('a-18', { attemptCount: -2, lastAttemptTime: ago(30) });
  for (const id of ['a-19', 'a-20'])
    put(id, { status: 'failed_max_retries', attemptCount: 3, lastAttemptTime: ago(60), ...error });
  return {
    ...{ name: 'archives', source: documents, collection, policy, dependency: '', put },
    ...{ thresholdMs: 24 * HOUR_MS, minimumAgeMs: 0 },
    event: { type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested', data: {} },
  };
}

/** A report of the source, and a change of the configuration. */
export async function operate(store: FullStore): Promise<void> {
  const counts = { handled: 0, stored: 8_120, duplicates: 14, deadLettered: 2 };
  await reportSource(store, 'chunking', { state: 'taking', waiting: 4, ...counts });
  const entry = { path: 'policies.invoice.jitter_type', before: 'none', after: 'full' };
  const diff = { entries: [{ kind: 'changed', ...entry }], omitted: 0 };
  const hash_after = operatedConfig().hash;
  const change = { by: 'ops@app-1', cause: 'file', file: 'redrive.yaml', hash_after, diff };
  const detail = JSON.stringify({ ...change, hash_before: '71c0e4b9' });
  await store.apply([{ kind: 'note', event: 'config', subject: 'redrive.yaml', detail }]);
}
