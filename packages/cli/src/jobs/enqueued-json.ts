import type { EnqueueCommand, EnqueueResult, Store } from '@redrive/durable/store';

type Accepted = Extract<EnqueueResult, { ok: true }>;

/** What `--json` prints for a job that would be accepted. */
export function wouldBeJson({ job }: EnqueueCommand) {
  const { handler, queue } = job;
  return { id: null, handler, queue, outcome: 'would_be_created', dry_run: true };
}

/**
 * What `--json` prints for a job that was accepted. Where another one has its unique key, this is about that one, which
 * may be in another queue.
 */
export async function enqueuedJson(
  store: Store,
  { job }: EnqueueCommand,
  { id, outcome }: Accepted,
) {
  const stored = outcome === 'created' ? undefined : await store.job(id);
  const { handler, queue } = stored ?? job;
  return { id, handler, queue, outcome, dry_run: false };
}
