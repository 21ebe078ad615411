import type { ReasonCode } from '@redrive/core';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import * as z from 'zod';
import { ownTenant } from '../action/own-tenant.ts';
import { nameText, pastMs, pastTime, text } from '../action/scalars.ts';
import type { Who } from '../action/who.ts';

/** The reasons for which a job becomes a dead letter. */
const REASONS = [
  'final_error',
  'max_attempts_exceeded',
  'ttl_exceeded',
  'effect_unknown',
  'effect_applied',
  'lease_lost',
  'inner_gave_up',
  'allowance_exhausted',
  'beyond_horizon',
  'budget_exhausted',
  'breaker_open',
  'invalid_message',
  'message_too_large',
  'idempotency_conflict',
  'policy_disabled',
  'kill_switch',
] as const satisfies readonly ReasonCode[];

/** Which dead letters are meant, in every action that has more than one in view. */
export const DEAD_FILTER = {
  handler: nameText().optional().describe('only letters of this handler'),
  queue: nameText().optional().describe('only letters of this queue'),
  tenant: text().optional().describe('only letters of this tenant'),
  tag: nameText().optional().describe('only letters with this tag'),
  session: nameText().optional().describe('only letters of this session'),
  group: nameText().optional().describe('only letters with this cause: see "redrive dlq groups"'),
  reason_code: z
    .enum(REASONS)
    .optional()
    .describe('only letters with this reason code, such as max_attempts_exceeded'),
  class: z
    .enum(['final', 'retryable', 'rate_limited'])
    .optional()
    .describe('only letters with an error of this class'),
  text: nameText().optional().describe('only letters whose cause contains this text'),
  since: pastTime.optional().describe('died at this time or later; 2h: within the last 2 hours'),
  until: pastTime.optional().describe('died before this time; 10m: more than 10 minutes ago'),
};

const SHAPE = z.strictObject(DEAD_FILTER);

/** The filter of an input, with the tenant of the caller. @throws Refusal `not_allowed` for another tenant. */
export function deadFilterOf(given: z.output<typeof SHAPE>, who: Who, nowMs: number): DeadFilter {
  return {
    handler: given.handler,
    queue: given.queue,
    tenant: ownTenant(given.tenant, who),
    tag: given.tag,
    sessionId: given.session,
    fingerprint: given.group,
    reason: given.reason_code,
    errorClass: given.class,
    text: given.text,
    diedAfterMs: pastMs(given.since, nowMs),
    diedBeforeMs: pastMs(given.until, nowMs),
  };
}
