import { definePolicy, systemClock } from '../../packages/core/dist/index.js';
import { runSweeps } from '../../packages/durable/dist/document/index.js';

export const HOUR_MS = 3_600_000;
export const PAGE = 500;
export const DESTINATION = 'archive.ingested';
/** Documents per statement while a collection is filled. */
export const FILL = 10_000;

/** Ids sort as their numbers do. */
export const idOf = (n) => `d${String(n).padStart(8, '0')}`;
export const titleOf = (n) => `Document ${n} ${'x'.repeat(80)}`;
/** Of the others: nine in ten are done, one was begun an hour ago. */
export const statusOf = (n) => (n % 10 === 0 ? 'pending' : 'processed');

export function collectionOf(name) {
  const fields = {
    ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
    ...{ mark: 'retry_sweep', error: 'lastError', read: ['_id', 'title'] },
  };
  const statuses = { pending: ['pending', 'processing'], done: ['processed'] };
  return { name, fields, ...statuses, failed: 'failed_max_retries' };
}

export function sweepOf(source, name) {
  return {
    ...{ name, source, collection: collectionOf(name), dependency: '', minimumAgeMs: 0 },
    thresholdMs: 24 * HOUR_MS,
    policy: definePolicy({
      ...{ id: 'documents.archives', maxAttempts: 3, baseDelayMs: 300_000, maxDelayMs: HOUR_MS },
      ...{ multiplier: 2, immediateFirstRetry: true, jitter: 'none' },
    }),
    event: {
      ...{ type: 'ArchiveIngested', bus: 'main', destination: DESTINATION },
      data: { archive_id: '$_id', title: '$title' },
    },
  };
}

/** One sweep of one collection. Answers how many documents it has sent. @throws Error where it failed. */
export async function sweepOnce(store, source, name) {
  const { collections } = await runSweeps({
    ...{ store, sweeps: [sweepOf(source, name)], clock: systemClock, intervalMs: 900_000 },
    ...{ actor: { name: 'bench' }, notify: () => {} },
  });
  const { report, error } = collections.get(name);
  if (error !== undefined) throw error;
  return report.claimed;
}

/** Finds, claims and marks page by page, as a sweep does, without jobs. Answers how many documents it has changed. */
export async function rawSweep(raw) {
  let changed = 0;
  for (const status of ['pending', 'processing']) {
    for (let after; ; ) {
      const page = await raw.find(status, after);
      const events = page.map(() => `e${++lastEvent}`);
      if (page.length > 0) changed += await raw.claim(page, events);
      if (page.length > 0) await raw.mark(page, events);
      if (page.length < PAGE) break;
      after = page.at(-1);
    }
  }
  return changed;
}

let lastEvent = 0;
