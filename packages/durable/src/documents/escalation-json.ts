import { commandText } from '@redrive/core/fields';
import { newestRecords } from '../audit/newest-records.ts';
import { type FoundRecord, RecordFilter } from '../audit/record-filter.ts';
import type { EscalationDecision } from '../escalation/next-step.ts';
import type { Escalation } from '../escalation/read-escalations.ts';
import type { Store } from '../store/store.ts';
import { iso, isoTime } from './times.ts';

const MAX_LOG = 200;

/** An escalation as commands and the API print it. */
export function escalationJson(escalation: Escalation) {
  const { key, of, title, tier, stuck, failed, bounded, stuckSinceMs, owner, overdue } = escalation;
  const { document } = escalation;
  const { acknowledged, snoozed, decision } = document ?? {};
  return {
    ...{ key, kind: of, title, tier, stuck, failed, bounded },
    stuck_since: isoTime(stuckSinceMs),
    owner,
    next_tier: escalation.nextTier?.tier ?? null,
    next_tier_at: isoTime(escalation.nextTier?.atMs),
    since: isoTime(document?.sinceMs),
    notified_tier: document?.notifiedTier ?? 0,
    notified: isoTime(document?.raisedAtMs),
    respond_by: isoTime(escalation.respondByMs),
    resolve_by: isoTime(escalation.resolveByMs),
    overdue: overdue ?? null,
    acknowledged_by: acknowledged?.by ?? null,
    acknowledged_tier: acknowledged?.tier ?? null,
    snoozed_until: isoTime(snoozed?.untilMs),
    decision: decision?.decision ?? null,
    decided_by: decision?.by ?? null,
    decision_why: decision?.why ?? null,
  };
}

/** Notifications and acts about an escalation, the newest first, at most 200. Also of one that is resolved. */
export async function escalationLog(store: Store, key: string, sinceMs: number) {
  // A note has its subject in place of the id of a job.
  const filter = new RecordFilter(store, { session: `escalation:${key}`, sinceMs });
  const { found } = await newestRecords(store, filter, MAX_LOG);
  return found.map(logEntry);
}

function logEntry({ record }: FoundRecord) {
  const [, , , , , atMs, , , , , given] = record;
  const { by, why, act, ...detail } = given;
  return {
    at: iso(atMs),
    ...{ act: String(act ?? ''), by: String(by ?? '') },
    why: typeof why === 'string' ? why : null,
    detail,
  };
}

/** An escalation that nothing has a tier for any more. */
export function resolvedEscalation(key: string): Escalation {
  const of = key.includes(':') ? 'cause' : 'collection';
  return { key, of, title: key, tier: 0, stuck: 0, failed: 0, bounded: false, owner: 'automatic' };
}

/** The command that carries a decision out. `null`: none is needed. */
export function decisionCommand(
  { key, of }: Pick<Escalation, 'key' | 'of'>,
  decision: EscalationDecision,
): string | null {
  if (decision === 'leave') return null;
  if (of === 'cause') return commandText`redrive dlq ${decision} --group ${key}`;
  return commandText`redrive documents ${decision === 'requeue' ? 'reset' : 'purge'} ${key}`;
}
