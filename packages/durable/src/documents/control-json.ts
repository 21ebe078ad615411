import type { NamedBreaker } from '../control/breakers.ts';
import type { ControlOverview } from '../control/control-overview.ts';
import { causeName } from '../control/parked-cause.ts';
import type { ParkedJobs } from '../control/parked-causes.ts';
import { type ClosedGate, causes, gateKey } from '../control/rules/documents.ts';
import { breakerDocument } from '../control/rules/shared-breaker.ts';
import type { AttendedOverview } from './status.ts';
import { iso, isoTime } from './times.ts';

/** The number of jobs that are parked under a cause. */
interface ParkedCount {
  readonly parked: number;
  /** There are more. */
  readonly bounded: boolean;
}

function parkedUnder(cause: string, all: readonly ParkedJobs[]): ParkedCount {
  const { count = 0, bounded = false } = all.find((each) => each.cause === cause) ?? {};
  return { parked: count, bounded };
}

/** A breaker with the jobs that wait for it. */
export interface BreakerView extends NamedBreaker, ParkedCount {
  /** Whether a live worker would probe. */
  readonly hasWorker: boolean;
}

type Overview = ControlOverview & Partial<Pick<AttendedOverview, 'hasWorker'>>;

export function breakerView(
  breaker: NamedBreaker,
  { parked, hasWorker = true }: Pick<Overview, 'parked' | 'hasWorker'>,
): BreakerView {
  return { ...breaker, ...parkedUnder(causes.breaker(breaker.dependency), parked), hasWorker };
}

/** Breakers that are not closed first, then by name. */
export function breakerViews(overview: Overview): BreakerView[] {
  return overview.breakers
    .map((breaker) => breakerView(breaker, overview))
    .sort((a, b) => Number(a.state === 'closed') - Number(b.state === 'closed'));
}

/** A breaker as JSON prints it: its state document, and facts for operators. */
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

/** A gate with the jobs that wait for it. */
export interface GateView extends ClosedGate, ParkedCount {}

export function gateViews({
  gates,
  parked,
}: Pick<ControlOverview, 'gates' | 'parked'>): GateView[] {
  return gates.map((gate) => ({ ...gate, ...parkedUnder(causes.gate(gateKey(gate)), parked) }));
}

/** A gate as JSON prints it. */
export function gateJson(view: GateView) {
  const { dependency, credential, tenant, untilMs, sinceMs, cut, parked } = view;
  return {
    dependency,
    credential: credential || null,
    tenant: tenant || null,
    until: iso(untilMs),
    since: iso(sinceMs),
    cut,
    parked,
  };
}

/** The jobs under a cause as JSON prints them. Without a worker nobody probes and nobody releases, whatever time and pace are set. */
export function parkJson(
  { cause, count, bounded, sinceMs, waitsFor, held, perSecond }: ParkedJobs,
  hasWorker: boolean,
) {
  const probes = hasWorker && waitsFor.kind === 'breaker';
  return {
    cause: causeName(cause),
    key: cause,
    count,
    bounded,
    since: isoTime(sinceMs),
    waits_for: waitsFor.kind,
    until: isoTime(waitsFor.kind === 'gate' ? waitsFor.untilMs : undefined),
    next_probe_at: isoTime(probes ? waitsFor.nextProbeAtMs : undefined),
    held_by: held?.by ?? null,
    held_why: held?.why ?? null,
    pace: (hasWorker ? perSecond : undefined) ?? null,
  };
}
