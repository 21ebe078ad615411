import type { Clock } from '../clock/clock.ts';

/**
 * The ledger makes an effect happen once per idempotency key. Port of core; adapters live with the durable stores.
 *
 * ```
 *            reserve                complete
 *  (absent) ────────► in progress ───────────► done       (every later reserve answers `done` with the value)
 *      ▲               │   │  ▲
 *      └── clear ──────┘   │  └── reserve, after `failed` or once the lease has expired (token + 1)
 *                          └─ fail ─► failed
 * ```
 */
export interface Ledger {
  /** Claims the key, or says why not. Never waits for another holder. */
  reserve(key: string, request: ReserveRequest): Promise<Reservation>;
  /** Extends a reservation. `false`: the token is no longer the newest; another caller may be running. */
  renew(key: string, token: number, leaseMs: number): Promise<boolean>;
  /**
   * Records the value (also `null`, `undefined`, `0`, `""`) and its metadata. `false`: the token is stale, and nothing was
   * written.
   */
  complete(key: string, token: number, value: unknown, metadata?: LedgerMetadata): Promise<boolean>;
  /** Records a failure, after which the key may be reserved again. `false`: stale token, nothing written. */
  fail(key: string, token: number, error: LedgerFailure): Promise<boolean>;
  /** Reads the entry of the key, without reserving it. */
  look(key: string): Promise<LedgerEntry | undefined>;
  /** Deletes a key, in any state. */
  clear(key: string): Promise<void>;
}

export interface ReserveRequest {
  /** Hash of the operation's parameters: the same key with another fingerprint is a conflict. */
  readonly fingerprint: string;
  /** How long the reservation holds without renewal; a crashed holder's key is free again after that. */
  readonly leaseMs: number;
}

export type Reservation =
  | { readonly state: 'reserved'; readonly token: number }
  | { readonly state: 'done'; readonly value: unknown }
  | { readonly state: 'in_progress'; readonly leaseLeftMs: number }
  | { readonly state: 'conflict'; readonly recordedFingerprint: string };

export type LedgerEntry =
  | { readonly state: 'in_progress'; readonly token: number; readonly fingerprint: string }
  | {
      readonly state: 'done';
      readonly token: number;
      readonly fingerprint: string;
      readonly value: unknown;
      /** The metadata that was recorded with the value. */
      readonly metadata?: LedgerMetadata;
    }
  | {
      readonly state: 'failed';
      readonly token: number;
      readonly fingerprint: string;
      readonly error: LedgerFailure;
    };

/** Metadata that a ledger keeps beside a value: JSON, bounded, without secrets. */
export type LedgerMetadata = Readonly<Record<string, unknown>>;

/** A sanitised error as the ledger keeps it. */
export interface LedgerFailure {
  readonly type: string;
  readonly message: string;
}

/** A ledger with `once`, which runs a function once per key. The option `ledger` of `retry` takes it. */
export interface OnceLedger extends Ledger {
  once<T>(request: OnceRequest, run: (token: number) => T | PromiseLike<T>): Promise<T>;
}

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
