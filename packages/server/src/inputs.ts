import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { JobState } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { JOB_STATES, type JobFilter } from '@redrive/durable/store';
import * as z from 'zod';
import type { Who } from './access/who.ts';
import { forbidden } from './problem.ts';

/** Postgres stores no NUL: its error would be one of the server. */
const stored = z.string().refine((value) => !value.includes('\0'), 'has the character NUL');
const text = stored.min(1).max(512);
/** ISO 8601 with its zone, as milliseconds. */
export const time = z.iso.datetime({ offset: true });
export const id = stored.min(1).max(512);

export const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  after: stored.max(2_048).optional(),
});

export const jobFilter = z.strictObject({
  state: z.enum(JOB_STATES as readonly [JobState, ...JobState[]]).optional(), // The list is not empty.
  handler: text.optional(),
  queue: text.optional(),
  tenant: stored.max(512).optional(),
  tag: text.optional(),
  session: text.optional(),
  since: time.optional(),
  until: time.optional(),
});

export const deadFilter = z.strictObject({
  handler: text.optional(),
  queue: text.optional(),
  tenant: stored.max(512).optional(),
  tag: text.optional(),
  session: text.optional(),
  group: text.optional(),
  reason_code: text.optional(),
  class: z.enum(['final', 'retryable', 'rate_limited']).optional(),
  text: text.optional(),
  since: time.optional(),
  until: time.optional(),
});

/**
 * The tenant of a filter. The token's own is part of every filter; another one is refused, because the answer would be
 * about other jobs than the request names.
 *
 * @throws Problem 403
 */
export function tenantOf(given: string | undefined, { tenant }: Who): string | undefined {
  if (tenant !== undefined && given !== undefined && given !== tenant) {
    throw forbidden(`This token is for the tenant ${tenant} only.`);
  }
  return tenant ?? given;
}

/** The filter of a request. @throws Problem 403 for another tenant than the token's. */
export function jobFilterOf(given: z.infer<typeof jobFilter>, who: Who): JobFilter {
  return {
    states: given.state && [given.state],
    handler: given.handler,
    queue: given.queue,
    tenant: tenantOf(given.tenant, who),
    tag: given.tag,
    sessionId: given.session,
    submittedAfterMs: ms(given.since),
    submittedBeforeMs: ms(given.until),
  };
}

/** As `jobFilterOf`. */
export function deadFilterOf(given: z.infer<typeof deadFilter>, who: Who): DeadFilter {
  return {
    handler: given.handler,
    queue: given.queue,
    tenant: tenantOf(given.tenant, who),
    tag: given.tag,
    sessionId: given.session,
    fingerprint: given.group,
    // A code that nothing has finds nothing.
    reason: given.reason_code as ReasonCode | undefined,
    errorClass: given.class as ErrorClass | undefined,
    text: given.text,
    diedAfterMs: ms(given.since),
    diedBeforeMs: ms(given.until),
  };
}

export function ms(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at);
}

/** Fields that every answer of this kind has; it may have more. `docs/reference/command-line.md` lists all of them. */
export function document(shape: z.ZodRawShape = {}): z.ZodType {
  return z.looseObject(shape);
}

/** A page of a list. */
export function listOf(name: string, shape: z.ZodRawShape = {}): z.ZodType {
  return z.looseObject({ [name]: z.array(z.looseObject(shape)), next: z.string().nullable() });
}
