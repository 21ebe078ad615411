import { controlNote, updateControl } from '../control/update-control.ts';
import { redact } from '../dead-letter/redact.ts';
import { iso, isoTime } from '../documents/times.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { enqueueCommand } from '../store/enqueue-command.ts';
import type { FullStore } from '../store/full-store.ts';
import { type EscalationDocument, nextStep } from './next-step.ts';
import type { Notification } from './notify.ts';
import {
  ESCALATION_QUEUE,
  type Escalation,
  type EscalationRules,
  readEscalations,
} from './read-escalations.ts';
import { deadlinesOf } from './tiers.ts';

/** The schedule that looks for rising tiers, and its handler. */
export const LOOK_HANDLER = 'escalation.look';
export const NOTIFY_HANDLER = 'escalation.notify';

/** For `jobs.schedule(...ESCALATION_SCHEDULE)`: once a minute. A look that was missed is replaced by the next one. */
export const ESCALATION_SCHEDULE = [
  LOOK_HANDLER,
  { handler: LOOK_HANDLER, queue: ESCALATION_QUEUE, everyMs: 60_000, missed: 'none' },
] as const;

/** Notifications that one look enqueues: the highest tiers first, and the next look goes on. */
const MAX_RAISED = 50;

export interface LookReport {
  readonly raised: number;
  readonly resolved: number;
}

/** The handler of the schedule. The rules are read at every look, so that a reload reaches them. */
export function lookHandler(
  store: FullStore,
  rules: () => EscalationRules,
): HandlerDefinition<undefined, LookReport> {
  return { idempotent: true, run: () => lookAtEscalations(store, rules()) };
}

/**
 * Looks at all escalations once. A tier that rose is first written into the document, by compare-and-set: the one process
 * whose write succeeds has given the notification its id. Then its job is enqueued, and the document says so; a process
 * that dies in between leaves that to the next look, which finds the same id.
 */
export async function lookAtEscalations(
  store: FullStore,
  rules: EscalationRules,
  actor: Actor = { name: LOOK_HANDLER },
): Promise<LookReport> {
  const { escalations, nowMs: lookedMs } = await readEscalations(store, rules);
  let raised = 0;
  let resolved = 0;
  for (const escalation of escalations) {
    const { key, tier } = escalation;
    const stepOf = (document: EscalationDocument | undefined, nowMs: number) =>
      nextStep({ document, tier, nowMs, resolveAfterMs: rules.resolveAfterMs });
    const seen = escalation.document;
    if (stepOf(seen, lookedMs).kind === 'none' && seen?.isEnqueued !== false) continue;
    const { before, after, changed } = await updateControl(store, {
      of: 'escalation',
      key,
      next(current, nowMs) {
        const step = stepOf(current, nowMs);
        if (step.kind === 'raise' && raised >= MAX_RAISED) return undefined;
        if (step.kind === 'resolve') return null;
        return step.kind === 'none' ? undefined : step.document;
      },
      note: (current, next) => noteOf(actor, escalation, current, next),
    });
    if (changed && after === undefined) resolved += 1;
    if (changed && after !== undefined && after.raisedAtMs !== before?.raisedAtMs) raised += 1;
    if (after?.isEnqueued === false) await enqueue(store, escalation, after, rules, actor);
  }
  return { raised, resolved };
}

function noteOf(
  actor: Actor,
  { tier, stuck, failed }: Escalation,
  before: EscalationDocument | undefined,
  after: EscalationDocument | null,
): object | undefined {
  if (after === null) return controlNote(actor, 'resolve');
  if (after.raisedAtMs === before?.raisedAtMs) return undefined;
  return controlNote(actor, 'raise', { tier, stuck, failed });
}

async function enqueue(
  store: FullStore,
  escalation: Escalation,
  document: EscalationDocument,
  rules: EscalationRules,
  actor: Actor,
): Promise<void> {
  const { key } = escalation;
  const { raisedAtMs } = document;
  // An id that is taken was enqueued by a process that could not say so any more.
  await store.apply([notifyCommand(escalation, document, rules, actor)]);
  await updateControl(store, {
    of: 'escalation',
    key,
    next: (current) =>
      current !== undefined && current.raisedAtMs === raisedAtMs && !current.isEnqueued
        ? { ...current, isEnqueued: true }
        : undefined,
  });
}

function notifyCommand(
  { key, of, title, tier: current, stuck, failed, bounded, stuckSinceMs, owner }: Escalation,
  { notifiedTier: tier, raisedAtMs = 0, owner: assigned }: EscalationDocument,
  { tiers, hours }: EscalationRules,
  actor: Actor,
): EnqueueCommand {
  const rule = tiers.find((one) => one.tier === tier);
  const times = rule && deadlinesOf(rule, raisedAtMs, hours);
  const raisedAt = iso(raisedAtMs);
  const id = `escalation/${key}/${tier}/${raisedAt}`;
  const notification: Notification = {
    schema_version: '1.0.0',
    ...{ escalation: key, kind: of, title, tier, tier_name: rule?.name ?? String(current) },
    owner: assigned?.name ?? rule?.owner ?? owner,
    ...{ stuck, failed, bounded, stuck_since: isoTime(stuckSinceMs), raised_at: raisedAt },
    ...{ respond_by: isoTime(times?.respondByMs), resolve_by: isoTime(times?.resolveByMs) },
  };
  const payload = { kind: 'json', text: JSON.stringify(redact(notification)) } as const;
  const job = { id, handler: NOTIFY_HANDLER, queue: ESCALATION_QUEUE, priority: tier, payload };
  return enqueueCommand(job, actor);
}
