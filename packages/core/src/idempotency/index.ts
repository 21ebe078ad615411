export { IdempotencyManager } from '../ledger/idempotency-manager.ts';
export { canonicalJson } from './canonical-json.ts';
export { computeIdempotencyKey, fingerprint } from './idempotency-key.ts';
export { sha256 } from './sha256.ts';
