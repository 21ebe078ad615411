import type { Classification } from '../classify/classification.ts';

/** Where on the ladder an attempt ran. */
export type Rung = 'call' | 'event' | 'job' | 'document';

/** Why something went on or ended: fixed, documented strings. */
export type ReasonCode =
  | 'succeeded'
  | 'retryable_error'
  | 'rate_limited'
  | 'final_error'
  | 'inner_gave_up'
  | 'cancelled'
  | 'interrupted'
  | 'lease_lost'
  | 'policy_disabled'
  | 'max_attempts_exceeded'
  | 'allowance_exhausted'
  | 'ttl_exceeded'
  | 'beyond_horizon'
  | 'budget_exhausted'
  | 'breaker_open'
  | 'gate_closed'
  | 'kill_switch'
  | 'ramp_undecided'
  | 'effect_unknown'
  | 'effect_applied'
  | 'handed_over';

/** Something other than the operation kept the attempt from running. */
export type BlockCause =
  | 'breaker_open'
  | 'budget_exhausted'
  | 'gate_closed'
  | 'kill_switch'
  /** An act on many sent it, and waits to see whether enough of them go well. */
  | 'ramp_undecided';

/** The outcome of an attempt, as `decide` takes it. */
export type AttemptOutcome =
  | { readonly kind: 'success' }
  | ({
      readonly kind: 'failure';
      /** The error is the give-up of an inner session. */
      readonly innerGaveUp?: boolean;
      /** Stored rungs: an inner session made no further attempt because of this. */
      readonly blockedBy?: InnerBlock | undefined;
    } & Classification)
  /** The attempt did not run: charged nothing. `retryAfterMs` is when the cause may have passed. */
  | { readonly kind: 'blocked'; readonly cause: BlockCause; readonly retryAfterMs: number }
  /** A graceful stop took the attempt away (stored rungs only): charged nothing, due again at once. */
  | { readonly kind: 'interrupted' }
  /**
   * The holder of the attempt went silent until its lease ran out (stored rungs only): effect unknown. `times` counts such
   * losses in this generation, this one included. `alone`: its process held no other item, so the loss is charged.
   */
  | { readonly kind: 'lease_lost'; readonly times: number; readonly alone: boolean }
  /** The attempt was claimed but may not run: its TTL is over, or a newer policy allows fewer attempts. Charged nothing. */
  | { readonly kind: 'unstarted' };

/** Why an inner session was refused, and how long that may last. */
export interface InnerBlock {
  readonly cause: 'breaker_open' | 'budget_exhausted' | 'kill_switch';
  readonly retryAfterMs: number;
}

/** The entry of an attempt in the account. `failed` and `lease_lost` are charged; all entries together are the claims. */
export type AttemptEntry =
  | 'succeeded'
  | 'failed'
  | 'rate_limited'
  | 'interrupted'
  | 'blocked'
  | 'cancelled'
  | 'lease_lost'
  /** Its lease was lost together with others of the same process. */
  | 'process_lost';

export interface Charge {
  /** The entry that the attempt gets in the account. */
  readonly entry: AttemptEntry;
  /** Whether a token of the dependency's budget is to be taken for the retry that follows. */
  readonly budget: boolean;
}

/** The answer of `decide` about an attempt. */
export type Decision =
  | {
      readonly action: 'succeed';
      readonly reason: 'succeeded';
      readonly delayMs: 0;
      readonly charge: Charge;
    }
  | {
      readonly action: 'retry';
      readonly reason: ReasonCode;
      readonly delayMs: number;
      readonly charge: Charge;
    }
  | {
      readonly action: 'hand-over';
      readonly reason: 'beyond_horizon';
      readonly delayMs: number;
      readonly charge: Charge;
    }
  | {
      readonly action: 'park';
      readonly reason: BlockCause;
      readonly delayMs: number;
      readonly charge: Charge;
    }
  | {
      readonly action: 'give-up';
      readonly reason: ReasonCode;
      /** The wait after which another try could succeed; the runner adds it to its clock for `retryAt`. Absent: never. */
      readonly delayMs?: number;
      readonly charge: Charge;
    };
