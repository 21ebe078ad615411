import { maskSecrets } from '@redrive/core/stored';
import type { Sweep } from '@redrive/durable/documents';
import { isoTime, type ListedDocument, type PlannedDocument } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { dueOf, verbOf, verdictOf } from './next-words.ts';

const DOCUMENT = z.object({
  collection: z.string().describe('its collection'),
  id: z.string().describe('its id'),
  status: z.string().describe('its status'),
  attempt_count: z
    .union([z.number(), z.string()])
    .nullable()
    .describe('its count of attempts; a text: it is no number; null: there is none'),
  last_attempt_time: time().nullable().describe('its last attempt; null: none, or not a time'),
  never_attempted: z.boolean().describe('true: it has no time of a last attempt'),
  error: z.string().nullable().describe('the last error that its owner kept'),
});

export const FAILED = DOCUMENT.extend({
  dead_letter: z.string().nullable().describe('the dead letter of it'),
});

const STUCK_SINCE = time().nullable().describe('when a sweep first found it');
const DUE = time()
  .nullable()
  .describe('from when a sweep may send it; null: not known, or sweeps leave it alone');

export const STUCK = DOCUMENT.extend({
  stuck_since: STUCK_SINCE,
  next: z
    .string()
    .describe(
      'what the next sweep does with it: send, wait, fail, or the problem of an invalid one; stopped: sweeps are stopped, as stuck explain says; running: its last attempt may still run; unsent: its event waits for its job; count: its event was sent; dead letter: its event could not be sent',
    ),
  due: DUE,
});

export const EXPLAINED = DOCUMENT.extend({
  max_attempts: z.number().describe('the attempts that its policy allows'),
  event: z.string().nullable().describe('id of the last event that a sweep sent, and of its job'),
  event_sent: z.boolean().nullable().describe('true: the broker has confirmed it; false: it waits'),
  stuck_since: STUCK_SINCE,
  backoff_factor: z
    .number()
    .describe('how many times as long the back-off is; 1 without dynamic_backoff'),
  verdict: z.string().describe('in one sentence'),
  due: DUE,
  stopped: z.string().nullable().describe('what stops sweeps of the collection now'),
});

/** The collections of a list. */
export const COLLECTIONS = z
  .array(
    z.object({
      name: z.string().describe('its name'),
      stuck_threshold_ms: z
        .number()
        .describe('how old the last attempt must be before a sweep sends the event again'),
      max_attempts: z.number().describe('attempts after which a document is failed'),
    }),
  )
  .describe('collections that were looked at; empty: none is swept');

export function collectionsOf(sweeps: readonly Sweep[]): z.output<typeof COLLECTIONS> {
  return sweeps.map(({ name, thresholdMs, policy }) => ({
    ...{ name, stuck_threshold_ms: thresholdMs, max_attempts: policy.maxAttempts },
  }));
}

/** Errors are the texts of the documents' owner: they may hold secrets, and any length. */
const MAX_ERROR = 4_000;

function documentAnswer({ sweep, document }: ListedDocument): z.output<typeof DOCUMENT> {
  const { id, status, count, timeMs, error } = document;
  return {
    collection: sweep.name,
    ...{ id, status, attempt_count: countAnswer(count) },
    last_attempt_time: isoTime(timeMs ?? undefined),
    never_attempted: timeMs === null,
    error: error === undefined ? null : maskSecrets(error, MAX_ERROR),
  };
}

/** The owner of the documents may keep anything there. */
function countAnswer(count: unknown): number | string | null {
  if (count === null || typeof count === 'number') return count;
  const text = typeof count === 'object' ? JSON.stringify(count) : String(count);
  return maskSecrets(text, MAX_ERROR);
}

export function failedAnswer(one: ListedDocument): z.output<typeof FAILED> {
  return { ...documentAnswer(one), dead_letter: one.document.mark?.event ?? null };
}

export function stuckAnswer(one: PlannedDocument): z.output<typeof STUCK> {
  const stuck_since = isoTime(one.document.firstStuckMs);
  const next = verbOf(one);
  // A document whose sweep is stopped has no time.
  const due = next === 'stopped' ? null : isoTime(dueOf(one.next));
  return { ...documentAnswer(one), stuck_since, next, due };
}

export function explainedAnswer(one: PlannedDocument): z.output<typeof EXPLAINED> {
  const { sweep, document, next, factor, stopped } = one;
  return {
    ...documentAnswer(one),
    max_attempts: sweep.policy.maxAttempts,
    event: document.mark?.event ?? null,
    event_sent: document.mark?.sent ?? null,
    stuck_since: isoTime(document.firstStuckMs),
    backoff_factor: factor,
    verdict: verdictOf(one),
    due: isoTime(dueOf(next)),
    stopped: stopped ?? null,
  };
}
