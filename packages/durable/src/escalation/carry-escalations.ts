import { controlNote, documentsIn, updateControl } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';
import type { EscalationDocument } from './next-step.ts';

/** A dead letter that moves from one cause to another. */
interface Move {
  readonly from?: string | undefined;
  readonly group?: { readonly fingerprint: string } | undefined;
}

/**
 * Gives the causes that letters move to what people and notifications have said about the causes that they leave. Doing it
 * again changes nothing.
 */
export async function carryEscalations(
  store: FullStore,
  moves: readonly Move[],
  by: string,
): Promise<void> {
  if (moves.length === 0) return;
  const documents = documentsIn(await store.controls(), 'escalation');
  const pairs = new Map(
    moves.map(({ from = '', group }) => [`${from} ${group?.fingerprint}`, { from, group }]),
  );
  for (const { from, group } of pairs.values()) {
    const source = documents.get(from);
    if (source === undefined || group === undefined) continue;
    await updateControl(store, {
      of: 'escalation',
      key: group.fingerprint,
      next: (current) => {
        const next = carried(source, current);
        return JSON.stringify(next) === JSON.stringify(current) ? undefined : next;
      },
      note: (before) =>
        before?.regrouped ? undefined : controlNote({ name: by }, 'carry', { from }),
    });
  }
}

/**
 * The document of a cause that gets letters of another one: the higher notified tier, and the acts of people of both; where
 * both have one, its own. Pure.
 */
export function carried(
  source: EscalationDocument,
  target: EscalationDocument | undefined,
): EscalationDocument {
  // The look at the other cause enqueues the notification of that cause.
  const { lowerSinceMs: _, raisedIn: __, ...from } = { ...source, isEnqueued: true };
  if (target === undefined) return { ...from, regrouped: true };
  const { lowerSinceMs, ...own } = target;
  const higher = from.notifiedTier > own.notifiedTier ? from : own;
  return {
    ...own,
    sinceMs: Math.min(own.sinceMs, from.sinceMs),
    notifiedTier: higher.notifiedTier,
    raisedAtMs: higher.raisedAtMs,
    acknowledged:
      (from.acknowledged?.tier ?? 0) > (own.acknowledged?.tier ?? 0)
        ? from.acknowledged
        : own.acknowledged,
    snoozed:
      (from.snoozed?.untilMs ?? 0) > (own.snoozed?.untilMs ?? 0) ? from.snoozed : own.snoozed,
    owner: own.owner ?? from.owner,
    decision: own.decision ?? from.decision,
    regrouped: true,
  };
}
