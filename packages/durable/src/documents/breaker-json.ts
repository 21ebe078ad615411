import type { NamedBreaker } from '../control/breakers.ts';
import type { ControlOverview } from '../control/control-overview.ts';
import { causes } from '../control/rules/documents.ts';
import { breakerDocument } from '../control/rules/shared-breaker.ts';
import type { AttendedOverview } from './attended-overview.ts';
import { isoTime } from './times.ts';

/** A breaker with what waits for it. */
export interface BreakerView extends NamedBreaker {
  readonly parked: number;
  /** There are more. */
  readonly bounded: boolean;
  /** Whether a live worker would probe. */
  readonly hasWorker: boolean;
}

type Overview = ControlOverview & Partial<Pick<AttendedOverview, 'hasWorker'>>;

export function breakerView(
  breaker: NamedBreaker,
  { parked, hasWorker = true }: Pick<Overview, 'parked' | 'hasWorker'>,
): BreakerView {
  const cause = causes.breaker(breaker.dependency);
  const own = parked.find((each) => each.cause === cause);
  return { ...breaker, parked: own?.count ?? 0, bounded: own?.bounded ?? false, hasWorker };
}

/** Breakers that are not closed first, then by name. */
export function breakerViews(overview: Overview): BreakerView[] {
  return overview.breakers
    .map((breaker) => breakerView(breaker, overview))
    .sort((a, b) => Number(a.state === 'closed') - Number(b.state === 'closed'));
}

/** As JSON prints it: the state document of a breaker, and what an operator wants to know besides. */
export function breakerJson(view: BreakerView, nowMs: number) {
  const { dependency, breaker, forced, nextProbeAtMs, parked, hasWorker } = view;
  return {
    ...breakerDocument(dependency, breaker, nowMs),
    last_error: breaker.lastError ?? null,
    next_probe_at: isoTime(hasWorker ? nextProbeAtMs : undefined),
    forced:
      forced === undefined
        ? null
        : {
            state: forced.state,
            until: isoTime(forced.untilMs),
            since: isoTime(forced.sinceMs),
            by: forced.by,
            why: forced.why ?? null,
          },
    parked,
  };
}
