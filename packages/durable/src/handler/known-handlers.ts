import { isRedriveError, RedriveError } from '@redrive/core';
import { nearest } from '@redrive/core/fields';
import { GONE_AFTER_MS } from '../live-workers/worker-report.ts';
import type { WorkerStore } from '../live-workers/worker-store.ts';
import type { Store } from '../store/store.ts';

/**
 * Refuses a handler that nothing names: neither the configuration, nor a live worker, nor a job of the store. Its jobs
 * would wait for ever, and most often it is a slip.
 *
 * @param declared those of the configuration.
 * @throws RedriveError `unknown_handler`, with `details.nearest` if another name is close.
 */
export async function checkHandlerIsKnown(
  store: Pick<Store, 'counts'> & WorkerStore,
  declared: readonly string[],
  handler: string,
): Promise<void> {
  if (declared.includes(handler)) return;
  const [jobs, { workers }] = await Promise.all([
    store.counts(),
    store.workers({ limit: 1_000, seenWithinMs: GONE_AFTER_MS }),
  ]).catch((error: unknown) => {
    // A file that the first job makes has no jobs yet.
    if (isRedriveError(error, 'store_not_found')) return [{ groups: [] }, { workers: [] }] as const;
    throw error;
  });
  const known = [
    ...new Set([
      ...declared,
      ...jobs.groups.map((group) => group.handler),
      ...workers.flatMap((worker) => worker.handlers),
    ]),
  ];
  // A name that the report had no room for may be any name.
  if (known.includes(handler) || workers.some(({ moreHandlers }) => moreHandlers > 0)) return;
  throw new RedriveError('unknown_handler', `There is no handler "${handler}".`, {
    handler,
    nearest: nearest(handler, known),
  });
}
