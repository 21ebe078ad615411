import { sessionRandom } from '@redrive/core/stored';
import type { ControlView } from './control-view.ts';
import { causes } from './rules/documents.ts';
import type { SharedBreaker } from './rules/shared-breaker.ts';
import type { ControlUpdate, ControlUpdated } from './update-control.ts';

/**
 * Writes one breaker's document, with a note for the audit log where its state changes. `random`: one number for each
 * dependency and probe, so that every process draws the same.
 */
export type WriteBreaker = (
  next: (
    current: SharedBreaker | undefined,
    nowMs: number,
    random: number,
  ) => SharedBreaker | undefined,
) => Promise<ControlUpdated<'breaker'>>;

/** Writes the breaker of a dependency for this process. An unchanged document is not written. */
export function breakerWrites(
  view: Pick<ControlView, 'update'>,
  key: string,
  worker: string,
): WriteBreaker {
  const note: ControlUpdate<'breaker'>['note'] = (before, after) =>
    after === null ? undefined : noteOf(`worker:${worker}`, before, after);
  return (next) =>
    view.update({
      of: 'breaker',
      key,
      next: (current, nowMs) => {
        const random = sessionRandom(causes.breaker(key), current?.probe ?? 0);
        const after = next(current, nowMs, random);
        return after === current ? undefined : after;
      },
      note,
    });
}

/** A change of state is worth a record; a change of the count is not. */
function noteOf(
  by: string,
  before: SharedBreaker | undefined,
  after: SharedBreaker,
): object | undefined {
  const was = before?.state ?? 'closed';
  return was === after.state ? undefined : { by, act: after.state, was, failures: after.failures };
}
