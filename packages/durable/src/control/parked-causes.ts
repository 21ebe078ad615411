import type { FullStore } from '../store/full-store.ts';
import type { Controls, Park } from './control-store.ts';
import type { ParkedCause } from './rules/documents.ts';
import { documentsIn } from './update-control.ts';
import { type WaitsFor, waitingIn } from './waits-for.ts';

/** Jobs that are parked under one cause. */
export interface ParkedJobs extends Park {
  /** If it is known. */
  readonly sinceMs?: number | undefined;
  readonly waitsFor: WaitsFor;
  /** An operator keeps them parked. */
  readonly held?: ParkedCause['held'];
  /** They are being released, at this many per second now. */
  readonly perSecond?: number | undefined;
}

/**
 * The causes of parked jobs, with the number of jobs (up to 10,000 each), since when, and the condition that they wait for.
 * Also causes without parked jobs that an operator holds, and kill switches that are being released at a pace.
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function parkedCauses(store: FullStore): Promise<readonly ParkedJobs[]> {
  const [parks, controls] = await Promise.all([store.parks(), store.controls()]);
  return parkedCausesIn(controls, parks);
}

export function parkedCausesIn(controls: Controls, parks: readonly Park[]): readonly ParkedJobs[] {
  const documents = documentsIn(controls, 'park');
  const waitsFor = waitingIn(controls);
  const empty = [...documents]
    .filter(([cause]) => !parks.some((park) => park.cause === cause))
    .filter(([, { held, submittedBeforeMs }]) => held ?? submittedBeforeMs)
    .map(([cause]): Park => ({ cause, count: 0, bounded: false }));
  return [...parks, ...empty]
    .sort((a, b) => (a.cause < b.cause ? -1 : 1))
    .map((park) => {
      const document = documents.get(park.cause);
      const reason = waitsFor(park.cause);
      return {
        ...park,
        sinceMs: earlier(document?.sinceMs, 'sinceMs' in reason ? reason.sinceMs : undefined),
        waitsFor: reason,
        held: document?.held,
        perSecond: document?.pace?.perSecond ?? document?.askedPerSecond,
      };
    });
}

/** A document may be younger than its reason, as for a hold; and a reason may be younger than the jobs under it. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  const known = [one, other].filter((atMs) => atMs !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
