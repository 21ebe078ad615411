/** An act of a person, as the document keeps it. */
export interface EscalationAct {
  readonly by: string;
  readonly why?: string | undefined;
  readonly atMs: number;
}

export type EscalationDecision = 'requeue' | 'purge' | 'leave';

/**
 * Kind `escalation` of the control documents: the notifications and acts of people about one collection or cause. Its key
 * is the name of the collection or the fingerprint of the cause. The tier is not in it: it follows from age and state.
 */
export interface EscalationDocument {
  readonly sinceMs: number;
  /** The tier of the last notification. 0: none so far. */
  readonly notifiedTier: number;
  /** When the tier rose to it. With key and tier it names the job of the notification. */
  readonly raisedAtMs?: number | undefined;
  /** Whether that job is enqueued. A process may die before. */
  readonly isEnqueued: boolean;
  /** The notification that names it together with other causes. Absent: it has one of its own. */
  readonly raisedIn?: string | undefined;
  /** Letters have moved to it since the last look: a tier that rose by them is no news. */
  readonly regrouped?: boolean | undefined;
  /** Nothing of tier 2 or above since then. */
  readonly lowerSinceMs?: number | undefined;
  readonly acknowledged?: (EscalationAct & { readonly tier: number }) | undefined;
  /** No notification of this tier or a lower one until then. */
  readonly snoozed?:
    | (EscalationAct & { readonly tier: number; readonly untilMs: number })
    | undefined;
  readonly owner?: (EscalationAct & { readonly name: string }) | undefined;
  readonly decision?: (EscalationAct & { readonly decision: EscalationDecision }) | undefined;
}

export const NEW_ESCALATION = { notifiedTier: 0, isEnqueued: true } as const;

export type EscalationStep =
  | { readonly kind: 'none' }
  /** The tier rose: the document is written, then its notification is enqueued. */
  | { readonly kind: 'raise'; readonly document: EscalationDocument }
  | { readonly kind: 'write'; readonly document: EscalationDocument }
  /** Resolved: the document is deleted. */
  | { readonly kind: 'resolve' };

/**
 * Decides what follows from the tier now. A tier is notified once, when it rises above the tiers that were notified
 * before; again only after a snooze is over, or after everything was below tier 2 for `resolveAfterMs`. Pure.
 */
export function nextStep({
  document,
  tier,
  nowMs,
  resolveAfterMs,
  isHeld = false,
}: {
  readonly document: EscalationDocument | undefined;
  readonly tier: number;
  readonly nowMs: number;
  readonly resolveAfterMs: number;
  /** Letters are being moved to it: what was said about them has not arrived yet. */
  readonly isHeld?: boolean | undefined;
}): EscalationStep {
  if (isHeld && document === undefined) return { kind: 'none' };
  if (tier < 2) {
    if (document === undefined) return { kind: 'none' };
    const { lowerSinceMs } = document;
    if (lowerSinceMs === undefined || lowerSinceMs > nowMs)
      return { kind: 'write', document: { ...document, lowerSinceMs: nowMs } };
    return { kind: nowMs - lowerSinceMs >= resolveAfterMs ? 'resolve' : 'none' };
  }
  const { lowerSinceMs, ...current } = document ?? { sinceMs: nowMs, ...NEW_ESCALATION };
  const { snoozed, acknowledged, decision, regrouped, ...rest } = current;
  if (regrouped && rest.notifiedTier > 0) {
    const notifiedTier = Math.max(rest.notifiedTier, tier);
    return { kind: 'write', document: { ...current, notifiedTier, regrouped: undefined } };
  }
  const isSnoozed = snoozed !== undefined && nowMs < snoozed.untilMs;
  const isOver = snoozed !== undefined && !isSnoozed;
  const quietTier = isOver ? 0 : Math.max(rest.notifiedTier, isSnoozed ? snoozed.tier : 0);
  if (tier > quietTier) {
    const raised = {
      ...{ notifiedTier: tier, raisedAtMs: nowMs, isEnqueued: false, raisedIn: undefined },
    };
    // After a snooze somebody has to look again. A decision was about the tier before; the audit log keeps it.
    const kept = isOver ? {} : { acknowledged };
    return { kind: 'raise', document: { ...rest, ...kept, ...raised } };
  }
  return lowerSinceMs === undefined ? { kind: 'none' } : { kind: 'write', document: current };
}

/** Whether people responded to the tier that was notified. */
export function isAnswered({ notifiedTier, acknowledged, decision }: EscalationDocument): boolean {
  return (
    decision !== undefined || (acknowledged !== undefined && acknowledged.tier >= notifiedTier)
  );
}
