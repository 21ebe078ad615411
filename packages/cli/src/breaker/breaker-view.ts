import { nearest } from '@redrive/core/fields';
import type { ControlOverview, NamedBreaker } from '@redrive/durable/control';
import { breakerDocument, causes } from '@redrive/durable/control/rules';
import { CliError } from '../terminal/cli-error.ts';
import { isoTime } from '../terminal/times.ts';
import type { AttendedOverview } from '../workers/read-overview.ts';

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

/** Those that are not closed first, then by name. */
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

/** @throws CliError with the exit code 3, and with the names that there are. */
export function findBreaker(
  { breakers }: Pick<ControlOverview, 'breakers'>,
  dependency: string,
): NamedBreaker {
  const found = breakers.find((each) => each.dependency === dependency);
  if (found !== undefined) return found;
  const names = breakers.map((each) => each.dependency);
  throw new CliError(
    'no_match',
    `The dependency ${dependency} has no breaker.`,
    hintFor(dependency, names),
  );
}

/** What else could be meant. */
export function hintFor(dependency: string, names: readonly string[]): string {
  const close = nearest(dependency, names);
  if (close !== undefined) return `Did you mean ${close}?`;
  return names.length === 0
    ? 'A breaker is created when a job with this dependency fails, or when an operator forces it.'
    : `Dependencies with a breaker: ${names.slice(0, 20).join(', ')}.`;
}
