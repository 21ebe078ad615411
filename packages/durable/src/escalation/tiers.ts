import { afterBusinessHours, type BusinessHours } from './business-hours.ts';

/**
 * A tier of the escalation, from 2 on: when an item has it, and who responds to it by when. Of its three conditions
 * (`afterMs`, `stuckAbove`, `failedAbove`) one is enough; an absent one never holds.
 *
 * Tier 1 has no rules: it is everything that is retried automatically and has none of the others.
 */
export interface EscalationTier {
  readonly tier: number;
  readonly name: string;
  /** The oldest item has been stuck for this time. */
  readonly afterMs?: number | undefined;
  /** More items than this are stuck, and the oldest of them for at least `stuckForMs`. */
  readonly stuckAbove?: number | undefined;
  readonly stuckForMs: number;
  /** More items than this have failed: their retries are used up. */
  readonly failedAbove?: number | undefined;
  /** Responds to it, unless somebody was assigned. */
  readonly owner: string;
  /** The time for a response. 0: at once. Absent: no limit. */
  readonly respondWithinMs?: number | undefined;
  /** Whether `respondWithinMs` counts business hours alone. */
  readonly inBusinessHours: boolean;
  /** The time until everything is resolved, by the clock. Absent: no limit. */
  readonly resolveWithinMs?: number | undefined;
  /** Names of channels. Absent: all. */
  readonly notify?: readonly string[] | undefined;
}

const HOUR_MS = 3_600_000;

/** The tiers, unless a configuration has others. */
export const DEFAULT_TIERS: readonly EscalationTier[] = [
  {
    ...{ tier: 2, name: 'warning', owner: 'Platform/SRE team' },
    ...{ afterMs: 24 * HOUR_MS, stuckAbove: 50, stuckForMs: HOUR_MS },
    ...{ respondWithinMs: 4 * HOUR_MS, inBusinessHours: true },
  },
  {
    ...{ tier: 3, name: 'critical', owner: 'Service team' },
    ...{ failedAbove: 0, stuckForMs: HOUR_MS },
    ...{ respondWithinMs: HOUR_MS, inBusinessHours: false },
  },
  {
    ...{ tier: 4, name: 'engineering_lead', owner: 'Engineering lead' },
    ...{ afterMs: 7 * 24 * HOUR_MS, failedAbove: 1_000, stuckForMs: HOUR_MS },
    ...{ respondWithinMs: 0, inBusinessHours: false, resolveWithinMs: 24 * HOUR_MS },
  },
];

/** Everything that a tier depends on: of one item, a collection or a cause. */
export interface EscalationFacts {
  /** Items that are behind their time and will be tried again. */
  readonly stuck: number;
  /** Items whose retries are used up. */
  readonly failed: number;
  /** The first failure of the stuck items, as far as it is known. */
  readonly stuckSinceMs?: number | undefined;
}

/** The tier now: the highest one whose conditions hold; 1 while something is retried; 0: nothing is wrong. Pure. */
export function tierOf(
  facts: EscalationFacts,
  nowMs: number,
  tiers: readonly EscalationTier[],
): number {
  const holding = tiers.filter((tier) => holds(tier, facts, nowMs)).map(({ tier }) => tier);
  return Math.max(facts.stuck + facts.failed > 0 ? 1 : 0, ...holding);
}

function holds(
  { afterMs = Infinity, stuckAbove = Infinity, stuckForMs, failedAbove = Infinity }: EscalationTier,
  { stuck, failed, stuckSinceMs }: EscalationFacts,
  nowMs: number,
): boolean {
  if (failed > failedAbove) return true;
  if (stuck === 0) return false;
  // An unknown time is not proof of a long one, but many stuck items count.
  if (stuckSinceMs === undefined) return stuck > stuckAbove;
  const ageMs = nowMs - stuckSinceMs;
  return ageMs >= afterMs || (stuck > stuckAbove && ageMs >= stuckForMs);
}

/** The next tier and its time, if nothing but time changes. `undefined`: time alone raises no tier. Pure. */
export function nextTierOf(
  { stuck, stuckSinceMs }: EscalationFacts,
  tier: number,
  tiers: readonly EscalationTier[],
): { readonly tier: number; readonly atMs: number } | undefined {
  if (stuck === 0 || stuckSinceMs === undefined) return undefined;
  const higher = tiers.flatMap((one) => {
    const { afterMs = Infinity, stuckAbove = Infinity, stuckForMs } = one;
    const inMs = Math.min(afterMs, stuck > stuckAbove ? stuckForMs : Infinity);
    const isHigher = one.tier > tier && Number.isFinite(inMs);
    return isHigher ? [{ tier: one.tier, atMs: stuckSinceMs + inMs }] : [];
  });
  return higher.sort((a, b) => a.atMs - b.atMs)[0];
}

/** The times of a tier that was notified at `fromMs`. Absent: no limit. */
export function deadlinesOf(
  { respondWithinMs, inBusinessHours, resolveWithinMs }: EscalationTier,
  fromMs: number,
  hours: BusinessHours,
): { readonly respondByMs?: number | undefined; readonly resolveByMs?: number | undefined } {
  const respond = (withinMs: number) =>
    inBusinessHours ? afterBusinessHours(fromMs, withinMs, hours) : fromMs + withinMs;
  const finite = (atMs: number) => (Number.isFinite(atMs) ? atMs : undefined);
  return {
    respondByMs: respondWithinMs === undefined ? undefined : finite(respond(respondWithinMs)),
    resolveByMs: resolveWithinMs === undefined ? undefined : fromMs + resolveWithinMs,
  };
}
