import type { Escalation } from '@redrive/durable/escalation';
import { escalationJson } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { countText } from '../store/job-counts.ts';
import { columns, printList } from '../terminal/table.ts';
import { withEscalations } from './read.ts';

const COLUMNS = columns(
  'tier:right | key:cyan | failed:right | stuck:right | owner | state | title',
);

/** The last step that people took, or the step that they must take. */
export function stateText({ document, overdue, tier }: Escalation, nowMs: number): string {
  if (overdue !== undefined) return `${overdue} overdue`;
  if (document === undefined) return tier < 2 ? 'automatic' : 'not notified';
  const { decision, snoozed, acknowledged, notifiedTier } = document;
  if (snoozed !== undefined && snoozed.untilMs > nowMs) return 'snoozed';
  if (decision !== undefined) return `decided: ${decision.decision}`;
  if (acknowledged !== undefined && acknowledged.tier >= notifiedTier) return 'acknowledged';
  return notifiedTier > 0 ? 'notified' : 'not notified';
}

export const runEscalationList: RunCommand = (invocation) =>
  withEscalations(invocation, async ({ nowMs, escalations, more }) =>
    printList(invocation, {
      name: 'escalations',
      items: escalations,
      document: escalationJson,
      columns: COLUMNS,
      row: (one) => [
        String(one.tier),
        one.key,
        countText(one.failed, one.bounded),
        countText(one.stuck, false),
        one.owner,
        stateText(one, nowMs),
        one.of === 'cause' ? one.title : 'documents',
      ],
      none: 'Nothing fails: there are no dead letters, no failing jobs and no stuck documents.',
      beside: { more },
      ...(more && { below: ['There are more causes than were read: see "redrive dlq groups".'] }),
    }),
  );
