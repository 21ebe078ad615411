import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';

type Accepted = Extract<EnqueueResult, { ok: true }>;

/** What `--json` prints for a job that was accepted, or would be. */
export function enqueuedJson(
  { job }: EnqueueCommand,
  outcome: Accepted['outcome'] | 'would_be_created',
  id: string | null,
) {
  return { id, handler: job.handler, queue: job.queue, outcome };
}
