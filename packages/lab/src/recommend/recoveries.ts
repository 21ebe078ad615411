import { endOf } from '../backtest/try-policy.ts';
import { type Arrival, type Outage, outageAt, type World, worldsOf } from '../backtest/world.ts';
import type { Attempts } from '../recording/attempts.ts';

/** A session's wait for a recovery. Times count from its first failure. */
export interface Recovery {
  /** When the session failed first, on the recording's clock. */
  readonly atMs: number;
  readonly rung: string;
  /** All sessions of one outage together weigh 1, as an own failure does. */
  readonly weight: number;
  /** It ended after the last attempt that failed, and before the first that succeeded. `Infinity`: none did. */
  readonly lastMs: number;
  readonly succeededMs: number;
  /** The end that policies are tried with: drawn between both. `Infinity`: it never recovers. */
  readonly endMs: number;
  /** Of an outage: its first failure (0 or less), and the sessions that it hit. */
  readonly outage?: { readonly fromMs: number; readonly sessions: number };
}

/** Sessions of one outage that are looked at: they differ only in when they met it. */
const MAX_PER_OUTAGE = 8;
/** Recoveries that are used: evenly picked if there are more. */
const MAX_RECOVERIES = 10_000;

/**
 * Recoveries that sessions of a policy waited for, in the order of time; each list is one outage or one own failure. A
 * failure with a hint is left out: the hint sets its wait. So is one that became final: no wait helps.
 */
export function recoveriesOf(attempts: Attempts, policyId: string): Recovery[][] {
  const rungOf = (group: number) => attempts.groups[group]?.rung ?? 'job';
  const groups = worldsOf(attempts).flatMap((world) => {
    const failed = world.arrivals.filter(
      ({ group, isSuccess }) => !isSuccess && attempts.groups[group]?.policy === policyId,
    );
    const byOutage = Map.groupBy(failed, ({ atMs }) => outageAt(world.outages, atMs));
    return [...byOutage].flatMap(([outage, arrivals]) =>
      outage === undefined
        ? ownRecoveries(world, arrivals, rungOf)
        : [ofOutage(outage, arrivals, rungOf)],
    );
  });
  const sorted = groups
    .filter((group) => group.length > 0)
    .sort((a, b) => (a[0]?.atMs ?? 0) - (b[0]?.atMs ?? 0));
  return evenly(sorted, MAX_RECOVERIES);
}

type RungOf = (group: number) => string;

function ofOutage(outage: Outage, arrivals: readonly Arrival[], rungOf: RungOf): Recovery[] {
  const { lastFailedMs, succeededMs, hintUntilMs } = outage;
  const [first] = arrivals;
  if (hintUntilMs > 0 || first === undefined) return [];
  // A breaker opens at the first failures. The outage itself may be older, if nobody came.
  const fromMs = first.atMs;
  const never = Number.POSITIVE_INFINITY;
  const end = { ...outage, fromMs, lastMs: lastFailedMs, finalMs: never };
  const endMs = endOf(end, first.session);
  const some = evenly(arrivals, MAX_PER_OUTAGE);
  return some.map(({ atMs, group }) => ({
    atMs,
    rung: rungOf(group),
    weight: 1 / some.length,
    lastMs: lastFailedMs - atMs,
    succeededMs: succeededMs - atMs,
    endMs: endMs - atMs,
    outage: { fromMs: fromMs - atMs, sessions: arrivals.length },
  }));
}

function ownRecoveries({ own }: World, arrivals: readonly Arrival[], rungOf: RungOf): Recovery[][] {
  return arrivals.flatMap(({ session, group }) => {
    const failure = own.get(session);
    if (failure === undefined || failure.hintUntilMs > 0) return [];
    const { fromMs: atMs, lastMs, succeededMs, finalMs } = failure;
    if (finalMs !== Number.POSITIVE_INFINITY) return [];
    const times = { lastMs: lastMs - atMs, succeededMs: succeededMs - atMs };
    return [
      [{ atMs, rung: rungOf(group), weight: 1, ...times, endMs: endOf(failure, session) - atMs }],
    ];
  });
}

/** At most this many of a list, evenly spread over it. */
export function evenly<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
