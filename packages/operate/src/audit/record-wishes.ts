import type { FullStore } from '@redrive/durable';
import {
  type AuditEvent,
  type FoundRecord,
  formatProblem,
  LogRenderer,
  RECORD_FORMATS,
  type RecordWishes,
  type RenderedEvent,
} from '@redrive/durable/store';
import * as z from 'zod';
import { ownTenant } from '../action/own-tenant.ts';
import type { InputProblem } from '../action/refusal.ts';
import { nameText, pastMs, pastTime, text } from '../action/scalars.ts';
import type { Who } from '../action/who.ts';
import { foundAnswer } from './record-answer.ts';

const EVENTS = [
  ...(['enqueue', 'replace', 'claim', 'settle', 'lease_lost', 'unpark', 'run_now'] as const),
  ...(['cancel', 'expire', 'requeue', 'reset', 'purge', 'restore', 'prune'] as const),
  ...(['control', 'session', 'config', 'read', 'act', 'set_aside', 'put_back'] as const),
  // The names that `audit/v1` and `event/v1` give their events.
  ...(['retry_attempt', 'retry_success', 'retry_failure', 'retry_exhausted'] as const),
  ...(['circuit_breaker_opened', 'circuit_breaker_closed', 'idempotency'] as const),
] satisfies readonly (AuditEvent | RenderedEvent)[];
const EVENT = z.enum(EVENTS);

/** The fields of an input that select records. */
export const RECORD_WISHES = {
  event: z
    .union([EVENT, z.array(EVENT).max(100)])
    .transform((given) => [given].flat())
    .default([])
    .describe(
      'only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated',
    ),
  format: z
    .enum(RECORD_FORMATS)
    .optional()
    .describe(
      'print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape',
    ),
  category: nameText()
    .optional()
    .describe('only of this category, of calls or of the policies of jobs'),
  operation: nameText().optional().describe('only of this operation of calls or handler of jobs'),
  tenant: text().optional().describe('only of this tenant'),
  correlation: nameText().optional().describe('only with this correlation id'),
  trace: nameText().optional().describe('only with this trace id'),
  session: nameText().optional().describe('only about this session or job'),
  by: nameText().optional().describe('only by an actor whose name contains this'),
  since: pastTime.optional().describe('at this time or later; 2h: within the last 2 hours'),
  until: pastTime.optional().describe('before this time; 10m: more than 10 minutes ago'),
};
const INPUT = z.object(RECORD_WISHES);
export type RecordInput = z.output<typeof INPUT>;

/** Problems of fields together. */
export function wishProblems({ event, format }: RecordInput): InputProblem[] {
  const problem = format && formatProblem(format, event);
  return problem === undefined ? [] : [{ field: 'event', message: `The shape ${problem}.` }];
}

export function wishesOf(input: RecordInput, who: Who, nowMs: number): RecordWishes {
  const { event: events, format, operation: handler, tenant, since, until } = input;
  const { category, correlation, trace, session, by } = input;
  return {
    ...{ events, format, handler, category, correlation, trace, session, by },
    tenant: ownTenant(tenant, who),
    ...{ sinceMs: pastMs(since, nowMs), untilMs: pastMs(until, nowMs) },
  };
}

/** Makes the answers of records, in their order: of the log, or of the shape that was asked for. */
export function shownIn(store: FullStore, { format, events }: RecordWishes) {
  if (format === undefined) return async (found: readonly FoundRecord[]) => found.map(foundAnswer);
  const renderer = new LogRenderer(store, { format, events });
  return async (found: readonly FoundRecord[]) =>
    (await renderer.render(found)).map(({ document }) => ({ ...document }));
}
