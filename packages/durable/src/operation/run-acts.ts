import { RedriveError } from '@redrive/core';
import type { FullStore } from '../store/full-store.ts';
import { type ActPage, actPage } from './act-pages.ts';
import { actOn, checkWish, cutOffOf } from './act-wish.ts';
import { beginActs, type NamedWish } from './begin-acts.ts';
import type { Operation } from './operation.ts';
import { type ActRefusal, MAX_NAMED } from './plan-acts.ts';

export interface ActRun extends NamedWish {
  /** Jobs per transaction, 1 to 1,000. Default 200. */
  readonly batch?: number | undefined;
  /** After each of them. What it throws ends the run between two batches. */
  readonly onProgress?: ((progress: ActProgress) => void) | undefined;
  /** Stops between two batches: the report's operation is then still `running`. */
  readonly signal?: AbortSignal | undefined;
}

export interface ActProgress {
  /** Over all submissions of the operation, as is `refused`. */
  readonly acted: number;
  readonly refused: number;
  /** When the last one died that was acted on: how far it has come. Of a list of ids it is not known. */
  readonly lastDiedAtMs?: number | undefined;
}

export interface ActReport {
  readonly operation: Operation;
  /** The first that refused in this run, at most 100, and why. */
  readonly refusals: readonly ActRefusal[];
  /** It had been carried out before: this run did nothing. */
  readonly alreadyFinished: boolean;
}

const DEFAULT_BATCH = 200;

/**
 * Acts on many jobs as one operation: each job once, however often and by how many at a time it is submitted, also after
 * a crash in the middle, because the progress commits together with the acts.
 *
 * @throws RedriveError `invalid_option`; `payload_too_large`; `operation_conflict` when the id stands for another wish; `store_unavailable`:
 *   submit it again, and it goes on.
 */
export async function runActs(store: FullStore, run: ActRun): Promise<ActReport> {
  const { id, batch = DEFAULT_BATCH, onProgress, signal } = run;
  checkWish(run, batch);
  const refusals: ActRefusal[] = [];
  let operation = await beginActs(store, run);
  const alreadyFinished = operation.state === 'finished';
  const cutOffMs = cutOffOf(operation.request) ?? Number.POSITIVE_INFINITY;
  const limit = 'ids' in run.target ? Number.POSITIVE_INFINITY : run.target.limit;
  while (operation.state === 'running' && signal?.aborted !== true) {
    const { revision, cursor, acted, refused } = operation;
    const room = Math.min(batch, limit - acted - refused);
    const page: ActPage =
      room > 0
        ? await actPage(store, run, cutOffMs, { limit: room, after: cursor })
        : { jobs: [], next: undefined };
    const answer = await store.stepOperation({
      id,
      revision,
      acts: page.jobs.map((job) => actOn(run, job, id)),
      cursor: page.next,
      finished: page.next === undefined,
    });
    if (!answer.ok) {
      // Somebody else carries out the same operation: its progress is ours.
      operation = answer.operation ?? gone(id);
      continue;
    }
    operation = answer.operation;
    for (const [index, result] of answer.results.entries()) {
      if (result.ok || refusals.length === MAX_NAMED) continue;
      refusals.push({ id: page.jobs[index]?.id ?? '', refusal: result.refusal });
    }
    const { acted: actedNow, refused: refusedNow } = operation;
    onProgress?.({ acted: actedNow, refused: refusedNow, lastDiedAtMs: page.lastAtMs });
  }
  return { operation, refusals, alreadyFinished };
}

function gone(id: string): never {
  throw new RedriveError('operation_conflict', `Bulk operation ${id} no longer exists`, { id });
}
