import { createHash } from 'node:crypto';
import type { FieldProblem } from '@redrive/core/fields';
import { canonicalJson } from '@redrive/core/idempotency';
import type { Payload } from './job.ts';

/** Ids of callers begin with it, and no name of an event source or a schedule does: so neither takes an id of the other. */
const PREFIX = 'id:';

/** Ids of hooks (`onDead`) begin with it. */
export const HOOK_PREFIX = 'dead:';

/**
 * The id of the job that was enqueued with `{ id, tenant }`: `id:acme:invoice-7`, and `id::invoice-7` without a tenant.
 * Each tenant has ids of its own: a colon or a percent sign in its name is encoded.
 *
 * ```ts
 * const job = await jobs.enqueue('invoice', { n: 7 }, { id: 'invoice-7', tenant: 'acme' });
 * job.id === jobIdOf('invoice-7', 'acme'); // true
 * ```
 */
export function jobIdOf(id: string, tenant = ''): string {
  return `${PREFIX}${tenant.replace(/[%:]/g, encodeURIComponent)}:${id}`;
}

/** The problem of the name of an event source or a schedule, whose ids begin with that name. */
export function ownIdsProblem(name: unknown): FieldProblem | undefined {
  const prefix = [PREFIX, HOOK_PREFIX].find(
    (each) => typeof name === 'string' && name.startsWith(each),
  );
  if (prefix === undefined) return undefined;
  return {
    field: 'name',
    message: `name must not begin with ${prefix}, which is for ids of ${prefix === PREFIX ? 'callers' : 'hooks'}`,
  };
}

/**
 * What makes two enqueues under one id the same: the handler and the payload. The order of members does not count, where
 * the payload has canonical JSON.
 */
export function jobDigest(handler: string, payload: Payload): string {
  const hash = createHash('sha256').update(JSON.stringify([handler, payload.kind]));
  return hash
    .update(payload.kind === 'bytes' ? payload.bytes : canonical(payload.text))
    .digest('base64url');
}

function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    // No payload, or JSON that has no canonical form, such as numbers beyond 2^53: then each character counts.
    return text;
  }
}
