import type { Clock } from '../clock/clock.ts';

/** The request of `once`: the key and its options. */
export interface OnceRequest {
  readonly key: string;
  /** Hash of the parameters: the same key with another one throws `idempotency_conflict`. Default `""`. */
  readonly fingerprint?: string | undefined;
  /** How long a crashed holder keeps the key. Renewed at half-time while the run lasts. Default 60,000. */
  readonly leaseMs?: number | undefined;
  /**
   * The rule while another caller runs under this key. `wait` (the default): wait for it, then answer with its result, or
   * run if it failed or its lease expired. `fail`: throw `idempotency_in_progress`.
   */
  readonly onInProgress?: 'wait' | 'fail' | undefined;
  /** How long to wait for another caller before throwing `idempotency_in_progress`. Default `Infinity`. */
  readonly waitMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Ends the waiting with its reason, and keeps the run from starting. Does not stop a run that has started. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a stored result is the answer (`hit`) and when a result was stored (`record`). Its errors are ignored. */
  readonly onUse?: ((action: 'hit' | 'record') => void) | undefined;
}
