import type { FullStore, Store } from '@redrive/durable';
import { jobsOn } from '@redrive/durable';
import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import type { JobWishes } from './enqueue-options.ts';
import { parsePayload } from './parse-payload.ts';

/** Makes the command that enqueues one job of this handler with this payload. */
export type JobMaker = (payload: string) => EnqueueCommand;

/** Everything is checked by the library, as it would be for an application. */
export function jobMaker(
  store: FullStore,
  handler: string,
  { options, due, deadline }: JobWishes,
  given: Options,
): JobMaker {
  // It only has to be known by name: nothing runs here.
  const jobs = jobsOn(store, { [handler]: (_payload: unknown) => undefined });
  const actor = actorOf(given);
  return (payload) => ({
    ...jobs.prepare(handler, parsePayload(payload), options),
    ...(due === undefined ? {} : { due }),
    ...(deadline === undefined ? {} : { deadline }),
    actor,
  });
}

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
