import type { Clock } from '../clock/clock.ts';

/** What `once` needs to know besides what to run. */
export interface OnceRequest {
  readonly key: string;
  /** Hash of the parameters: the same key with another one throws `idempotency_conflict`. Default `""`. */
  readonly fingerprint?: string | undefined;
  /** How long a crashed holder keeps the key. Renewed at half-time while the run lasts. Default 60,000. */
  readonly leaseMs?: number | undefined;
  /**
   * What to do while somebody else runs under this key. `wait` (the default): until it is done, and then answer with its
   * result, or run if it failed or its lease expired. `fail`: throw `idempotency_in_progress`.
   */
  readonly onInProgress?: 'wait' | 'fail' | undefined;
  /** How long to wait for somebody else before it fails with `idempotency_in_progress`. Default `Infinity`. */
  readonly waitMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Ends the waiting with its reason, and keeps the run from starting. Does not stop a run that has started. */
  readonly signal?: AbortSignal | undefined;
  /** Told when a stored result was the answer (`hit`) and when one was stored (`record`). What it throws is ignored. */
  readonly onUse?: ((action: 'hit' | 'record') => void) | undefined;
}
