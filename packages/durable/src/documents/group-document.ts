import { commandText } from '@redrive/core/fields';
import type { DeadFilter, DeadGroup, DeadLetterStore } from '../dead-letter/dead-letter-store.ts';
import { type MessagePart, messageParts } from '../dead-letter/message-parts.ts';
import { diedAgain } from './letter-document.ts';
import { iso } from './times.ts';

/** A cause, with facts about its newest letters. */
export interface HandledGroup extends DeadGroup {
  readonly handlers: readonly string[];
  /** Reason codes of its newest letters. */
  readonly reasons: readonly string[];
  /** Its newest letters that were looked at. */
  readonly sampled: number;
  /** The number of these that were requeued and died again. */
  readonly cameBack: number;
  /** Of these: deaths in each of the last 24 hours, the oldest first. */
  readonly trend: readonly number[];
  /** The message of its newest letter that has one, as it is stored: secrets masked. */
  readonly lastMessage?: readonly MessagePart[] | undefined;
}

/** Letters that are looked at for all causes of a page, at most. */
const SAMPLE = 1_000;
const MAX_PER_CAUSE = 500;
const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Looks at the newest letters of each cause: their handlers, when they died, and whether a requeue helped. */
export async function withHandlers(
  store: Pick<DeadLetterStore, 'deadLetters'>,
  filter: DeadFilter,
  groups: readonly DeadGroup[],
  nowMs: number,
): Promise<readonly HandledGroup[]> {
  const limit = Math.min(MAX_PER_CAUSE, Math.floor(SAMPLE / Math.max(1, groups.length)));
  return Promise.all(
    groups.map(async (group) => {
      const { fingerprint } = group;
      const { jobs } = await store.deadLetters({ ...filter, fingerprint }, { limit });
      const trend = Array.from({ length: HOURS }, () => 0);
      for (const { finishedAtMs = 0 } of jobs) {
        const hour = HOURS - 1 - Math.floor((nowMs - finishedAtMs) / HOUR_MS);
        if (trend[hour] !== undefined) trend[hour] += 1;
      }
      const last = jobs.find(({ lastError }) => lastError !== undefined)?.lastError;
      return {
        ...group,
        handlers: [...new Set(jobs.map(({ handler }) => handler))].sort(),
        reasons: [...new Set(jobs.flatMap(({ reason }) => reason ?? []))].sort(),
        sampled: jobs.length,
        cameBack: jobs.filter(diedAgain).length,
        trend,
        lastMessage: last && messageParts(last.message),
      };
    }),
  );
}

/** The command that shows why, and the next steps. */
export function showCommand({ newestId }: DeadGroup): string {
  return commandText`redrive dlq show ${newestId}`;
}

/** A cause as JSON prints it. */
export function groupDocument(group: HandledGroup) {
  return {
    fingerprint: group.fingerprint,
    pattern: group.pattern,
    count: group.count,
    bounded: group.bounded,
    first_died_at: iso(group.firstDiedAtMs),
    last_died_at: iso(group.lastDiedAtMs),
    newest_id: group.newestId,
    handlers: group.handlers,
    reason_codes: group.reasons,
    sampled: group.sampled,
    came_back: group.cameBack,
    trend: group.trend,
    last_message: group.lastMessage ?? [],
    next: showCommand(group),
  };
}
