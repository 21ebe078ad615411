import { RedriveError } from '../errors/redrive-error.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256 } from './sha256.ts';

/**
 * The idempotency key of an operation: SHA-256, as 64 hex digits, over the canonical JSON of
 * `{ operation, tenant_id, correlation_id, additional_params }`. Absent ids count as `""` and absent parameters as `{}`.
 * The order of members does not matter, at any depth. Throws `not_canonical` for what has no canonical JSON (see
 * `canonicalJson`). Test vectors for other languages: `docs/reference/idempotency-keys.md`.
 *
 * ```ts
 * const key = computeIdempotencyKey('charge card', 'tenant-123', 'order-456', { amount: 1999 });
 * ```
 */
export function computeIdempotencyKey(
  operation: string,
  tenantId?: string | null,
  correlationId?: string | null,
  additionalParams?: Readonly<Record<string, unknown>> | null,
): string {
  // Without this, all operations that forgot their name would share a key and be answered with each other's results.
  if (typeof operation !== 'string') {
    throw new RedriveError('invalid_option', 'An idempotency key needs the name of its operation', {
      operation,
    });
  }
  return fingerprint({
    operation,
    tenant_id: tenantId ?? '',
    correlation_id: correlationId ?? '',
    additional_params: additionalParams ?? {},
  });
}

/**
 * The SHA-256, as 64 hex digits, of a value's canonical JSON. As the `fingerprint` of a ledger request it shows
 * whether the same key came with other parameters.
 */
export function fingerprint(params: unknown): string {
  return sha256(canonicalJson(params));
}
