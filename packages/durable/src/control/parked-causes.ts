import type { ParkedCause } from '@redrive/core/control';
import type { FullStore } from '../store/full-store.ts';
import type { Controls, Park } from './control-store.ts';
import { documentsIn } from './documents-in.ts';
import { type WaitsFor, waitingIn } from './waits-for.ts';

/** Jobs that are parked together, and what for. */
export interface ParkedJobs extends Park {
  /** Where it is known. */
  readonly sinceMs?: number | undefined;
  readonly waitsFor: WaitsFor;
  /** An operator keeps them parked. */
  readonly held?: ParkedCause['held'];
  /** They come back, at so many a second now. */
  readonly perSecond?: number | undefined;
}

/**
 * What jobs are parked under, how many of them (each counted up to 10,000), since when and what for; also causes that an
 * operator holds, and kill switches that were released at a pace, where nothing is parked just now. By cause.
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

/** A document may be younger than its reason, as that of a hold is; and a reason younger than what is parked under it. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  const known = [one, other].filter((atMs) => atMs !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
