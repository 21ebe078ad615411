import { RedriveError } from '@redrive/core';
import { controlNote, updateControl } from '../control/update-control.ts';
import { type Actor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { type EscalationDecision, type EscalationDocument, NEW_ESCALATION } from './next-step.ts';

/** An act of a person about an escalation. */
export type EscalationWish =
  /** Somebody looks at it. */
  | { readonly act: 'acknowledge' }
  /** No notification of this tier or a lower one until then; then again, if it still has it. */
  | { readonly act: 'snooze'; readonly untilMs: number }
  | { readonly act: 'assign'; readonly owner: string }
  /** The decision alone: it is carried out by another command. */
  | { readonly act: 'decide'; readonly decision: EscalationDecision };

/** The longest snooze. */
export const MAX_SNOOZE_MS = 30 * 86_400_000;
const MAX_OWNER = 200;

/**
 * Records an act of a person in the document of an escalation, with a note in the audit log.
 *
 * @param request `tier`: the tier that the person saw.
 * @throws RedriveError `invalid_option`: the snooze is over or longer than 30 days; `control_conflict`,
 *   `store_unavailable`.
 */
export async function actOnEscalation(
  store: FullStore,
  request: EscalationWish & { readonly key: string; readonly tier: number; readonly actor: Actor },
): Promise<EscalationDocument> {
  const { key, tier, actor, ...given } = request;
  // People paste secrets everywhere: the document and the note get the masked name.
  const wish = given.act === 'assign' ? { ...given, owner: ownerOf(given.owner) } : given;
  const { after } = await updateControl(store, {
    of: 'escalation',
    key,
    next: (current, nowMs) => {
      const act = { by: actor.name, why: keptWhy(actor.why), atMs: nowMs };
      return { ...(current ?? { sinceMs: nowMs, ...NEW_ESCALATION }), ...edit(wish, tier, act) };
    },
    note: () => {
      const { act, ...more } = wish;
      const untilMs = 'untilMs' in more ? { until: new Date(more.untilMs).toISOString() } : more;
      return controlNote(actor, act, { tier, ...untilMs });
    },
  });
  // `next` never deletes it.
  return after as EscalationDocument;
}

const ownerOf = (given: string) => (keptWhy(given) ?? '').slice(0, MAX_OWNER);

type Act =
  NonNullable<EscalationDocument['acknowledged']> extends infer A ? Omit<A, 'tier'> : never;

function edit(wish: EscalationWish, tier: number, act: Act): Partial<EscalationDocument> {
  switch (wish.act) {
    case 'acknowledge':
      return { acknowledged: { ...act, tier } };
    case 'snooze': {
      const { untilMs } = wish;
      if (!(untilMs > act.atMs && untilMs <= act.atMs + MAX_SNOOZE_MS))
        throw new RedriveError('invalid_option', 'A snooze ends within 30 days from now');
      return { snoozed: { ...act, tier, untilMs } };
    }
    case 'assign':
      return { owner: { ...act, name: wish.owner } };
    case 'decide':
      return { decision: { ...act, decision: wish.decision } };
  }
}
