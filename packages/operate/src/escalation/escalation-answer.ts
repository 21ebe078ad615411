import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import type { Escalation, EscalationDecision } from '@redrive/durable/escalation';
import {
  type FoundRecord,
  iso,
  isoTime,
  newestRecords,
  RecordFilter,
} from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const DECISIONS = ['requeue', 'purge', 'leave'] as const;

export const ESCALATION = z.object({
  key: z.string().describe('the name of a collection, or the fingerprint of a cause'),
  kind: z.enum(['collection', 'cause']).describe('which of the two'),
  title: z.string().describe('the pattern of the errors, or the name of the collection'),
  tier: z.number().describe('1 to 4; 0: nothing is wrong any more'),
  stuck: z.number().describe('items that are retried or parked'),
  failed: z.number().describe('items whose retries are used up'),
  bounded: z.boolean().describe('true: there are more than were counted'),
  stuck_since: time()
    .nullable()
    .describe('the first failure of the stuck items; null: not known, or none is stuck'),
  owner: z.string().describe('who was assigned, or the owner of the tier'),
  next_tier: z
    .number()
    .nullable()
    .describe('the next tier, if nothing but time changes; null: none'),
  next_tier_at: time().nullable().describe('when it has that tier'),
  since: time().nullable().describe('since when it has acts or notifications; null: none'),
  notified_tier: z.number().describe('the tier of the last notification; 0: none'),
  notified: time().nullable().describe('when that tier was reached'),
  respond_by: time().nullable().describe('the time for a response; null: none is due'),
  resolve_by: time().nullable().describe('the time until all must be resolved; null: no limit'),
  overdue: z.enum(['response', 'resolution']).nullable().describe('which of the two has passed'),
  acknowledged_by: z.string().nullable().describe('who acknowledged it'),
  acknowledged_tier: z.number().nullable().describe('the tier that was acknowledged'),
  snoozed_until: time().nullable().describe('no notification until then'),
  decision: z.enum(DECISIONS).nullable().describe('the decision'),
  decided_by: z.string().nullable().describe('who decided'),
  decision_why: z.string().nullable().describe('the reason of the decision'),
});

export const LOG_ENTRY = z.object({
  at: time().describe('when'),
  act: z.string().describe('raise, resolve, acknowledge, snooze, assign or decide'),
  by: z.string().describe('who'),
  why: z.string().nullable().describe('the reason that was given'),
  detail: z.object({}).catchall(z.unknown()).describe('tier, counts, owner, time or decision'),
});

const MAX_LOG = 200;

export function escalationAnswer(escalation: Escalation): z.output<typeof ESCALATION> {
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
export async function escalationLog(
  store: FullStore,
  key: string,
  sinceMs: number,
): Promise<z.output<typeof LOG_ENTRY>[]> {
  // A note has its subject in place of the id of a job.
  const filter = new RecordFilter(store, { session: `escalation:${key}`, sinceMs });
  const { found } = await newestRecords(store, filter, MAX_LOG);
  return found.map(logEntry);
}

function logEntry({ record }: FoundRecord) {
  const { atMs, detail: given } = record;
  const { by, why, act, ...detail } = given;
  return {
    at: iso(atMs),
    ...{ act: String(act ?? ''), by: String(by ?? '') },
    why: typeof why === 'string' ? why : null,
    detail: { ...detail },
  };
}

/** An escalation that no tier applies to any more. */
export function resolvedEscalation(key: string): Escalation {
  const of = key.includes(':') ? 'cause' : 'collection';
  return { key, of, title: key, tier: 0, stuck: 0, failed: 0, bounded: false, owner: 'automatic' };
}

/** The command that carries out a decision. `null`: none is needed. */
export function decisionCommand(
  { key, of }: Pick<Escalation, 'key' | 'of'>,
  decision: EscalationDecision,
): string | null {
  if (decision === 'leave') return null;
  if (of === 'cause') return commandText`redrive dlq ${decision} --group ${key}`;
  return commandText`redrive documents ${decision === 'requeue' ? 'reset' : 'purge'} ${key}`;
}
