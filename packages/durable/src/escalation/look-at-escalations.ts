import type { Controls } from '../control/control-store.ts';
import { controlNote, updateControl } from '../control/update-control.ts';
import { redact } from '../dead-letter/redact.ts';
import { appliedIn, isMovedTo } from '../dead-letter/rules/regroup-letters.ts';
import { iso, isoTime } from '../documents/times.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { progressIn } from '../operation/stored-progress.ts';
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

/**
 * For `jobs.schedule(...escalationSchedule())`. A look that was missed is replaced by the next one.
 *
 * @param everyMs the time between two looks. Default: a minute.
 */
export function escalationSchedule(everyMs = 60_000) {
  const plan = { handler: LOOK_HANDLER, queue: ESCALATION_QUEUE, everyMs, missed: 'none' } as const;
  return [LOOK_HANDLER, plan] as const;
}

/** Notifications that one look enqueues, unless the rules say otherwise. */
const MAX_NOTIFICATIONS = 10;
/** Causes that one notification names. */
const MAX_NAMED = 10;

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
 *
 * If more tiers rose than a look may notify, causes that are new share one notification.
 */
export async function lookAtEscalations(
  store: FullStore,
  rules: EscalationRules,
  actor: Actor = { name: LOOK_HANDLER },
): Promise<LookReport> {
  const { escalations, nowMs: lookedMs } = await readEscalations(store, rules);
  const controls = await store.controls();
  const isHeld = movingCauses(controls);
  const stepOf = ({ key, tier }: Escalation, document: Document, nowMs: number) =>
    nextStep({
      ...{ document, tier, nowMs, resolveAfterMs: rules.resolveAfterMs, isHeld: isHeld(key) },
    });
  const rising = escalations.filter(
    (each) => stepOf(each, each.document, lookedMs).kind === 'raise',
  );
  const together = togetherOf(rising, rules.maxNotificationsPerLook ?? MAX_NOTIFICATIONS);
  const shared = `${LOOK_HANDLER}/${iso(lookedMs)}/${controls.revision}`;
  let raised = 0;
  let resolved = 0;
  const toEnqueue: Raised[] = [];
  for (const escalation of escalations) {
    const seen = escalation.document;
    if (stepOf(escalation, seen, lookedMs).kind === 'none' && seen?.isEnqueued !== false) continue;
    const { before, after, changed } = await updateControl(store, {
      of: 'escalation',
      key: escalation.key,
      next(current, nowMs) {
        const step = stepOf(escalation, current, nowMs);
        if (step.kind === 'resolve') return null;
        if (step.kind === 'none') return undefined;
        const raisedIn = step.kind === 'raise' && together.has(escalation) ? shared : undefined;
        return raisedIn === undefined ? step.document : { ...step.document, raisedIn };
      },
      note: (current, next) => noteOf(actor, escalation, current, next),
    });
    if (changed && after === undefined) resolved += 1;
    if (changed && after !== undefined && after.raisedAtMs !== before?.raisedAtMs) raised += 1;
    if (after?.isEnqueued === false) toEnqueue.push({ escalation, document: after });
  }
  const notified = Map.groupBy(
    toEnqueue,
    ({ escalation, document }) => document.raisedIn ?? escalation.key,
  );
  for (const some of notified.values()) await enqueue(store, some, rules, actor);
  return { raised, resolved };
}

type Document = EscalationDocument | undefined;

interface Raised {
  readonly escalation: Escalation;
  readonly document: EscalationDocument;
}

/** Of too many tiers that rose, the causes that share one notification: all but the largest that were known before. */
function togetherOf(rising: readonly Escalation[], atMost: number): ReadonlySet<Escalation> {
  if (rising.length <= atMost) return new Set();
  const isKnown = ({ of, document }: Escalation) =>
    of === 'collection' || (document?.notifiedTier ?? 0) > 0;
  const alone = new Set(rising.filter(isKnown).slice(0, atMost - 1));
  return new Set(rising.filter((each) => !alone.has(each)));
}

/** A regrouping that takes longer than this holds no notification back. */
const MOST_HELD_MS = 3_600_000;

/** Causes that letters are being moved to: what was said about them comes with their letters. */
function movingCauses(controls: Controls): (key: string) => boolean {
  const applied = appliedIn(controls);
  const { progress } = progressIn(controls, applied.operation ?? '') ?? {};
  const isMoving = progress?.state === 'running' && controls.nowMs - applied.sinceMs < MOST_HELD_MS;
  return (key) => isMoving && key.includes(':') && isMovedTo(applied, key);
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

/** Enqueues the notification of one escalation, or of several that share it. */
async function enqueue(
  store: FullStore,
  raised: readonly Raised[],
  rules: EscalationRules,
  actor: Actor,
): Promise<void> {
  // An id that is taken was enqueued by a process that could not say so any more.
  await store.apply([notifyCommand(raised, rules, actor)]);
  for (const { escalation, document } of raised) {
    await updateControl(store, {
      of: 'escalation',
      key: escalation.key,
      next: (current) =>
        current !== undefined && current.raisedAtMs === document.raisedAtMs && !current.isEnqueued
          ? { ...current, isEnqueued: true }
          : undefined,
    });
  }
}

function notifyCommand(
  raised: readonly Raised[],
  rules: EscalationRules,
  actor: Actor,
): EnqueueCommand {
  // The highest tier comes first, then the most items.
  const [first, ...others] = raised.map((each) => notificationOf(each, rules));
  if (first === undefined) throw new TypeError('A notification has at least one escalation');
  const { escalation: key, tier, raised_at } = first;
  const id = raised[0]?.document.raisedIn ?? `escalation/${key}/${tier}/${raised_at}`;
  const named = others.slice(0, MAX_NAMED - 1);
  const notification: Notification = {
    ...first,
    ...(others.length > 0 && { others: named.map(namedIn), more: others.length - named.length }),
  };
  const payload = { kind: 'json', text: JSON.stringify(redact(notification)) } as const;
  const job = { id, handler: NOTIFY_HANDLER, queue: ESCALATION_QUEUE, priority: tier, payload };
  return enqueueCommand(job, actor);
}

function namedIn({ escalation, kind, title, tier, stuck, failed, bounded }: Notification) {
  return { escalation, kind, title, tier, stuck, failed, bounded };
}

function notificationOf(
  { escalation, document }: Raised,
  { tiers, hours }: EscalationRules,
): Notification {
  const { key, of, title, tier: current, stuck, failed, bounded, stuckSinceMs, owner } = escalation;
  const { notifiedTier: tier, raisedAtMs = 0, owner: assigned } = document;
  const rule = tiers.find((one) => one.tier === tier);
  const times = rule && deadlinesOf(rule, raisedAtMs, hours);
  return {
    schema_version: '1.0.0',
    ...{ escalation: key, kind: of, title, tier, tier_name: rule?.name ?? String(current) },
    owner: assigned?.name ?? rule?.owner ?? owner,
    ...{ stuck, failed, bounded, stuck_since: isoTime(stuckSinceMs), raised_at: iso(raisedAtMs) },
    ...{ respond_by: isoTime(times?.respondByMs), resolve_by: isoTime(times?.resolveByMs) },
  };
}
