import type { BackoffShape } from '../backoff/delay.ts';
import type { Classification } from '../classify/classification.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { AccountView } from './account.ts';

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
  | 'effect_unknown'
  | 'effect_applied'
  | 'handed_over'
  | 'invalid_message'
  | 'message_too_large'
  | 'idempotency_conflict';

/** Something other than the operation kept the attempt from running. */
export type BlockCause = 'breaker_open' | 'budget_exhausted' | 'gate_closed' | 'kill_switch';

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

/**
 * The whole input of `decide`. Plain data: it can be stored, and given to `decide` again. JSON writes `Infinity` as
 * `null`. No field is ever `null` itself, so a reader of the JSON turns every `null` back into `Infinity`.
 */
export interface DecisionInput {
  readonly policy: DecisionPolicy;
  readonly account: AccountView;
  readonly outcome: AttemptOutcome;
  readonly rung: Rung;
  /** The longest wait on this rung. `Infinity`: any. */
  readonly horizonMs: number;
  /** Whether the work can be stored, so that the next rung can go on with it. */
  readonly canHandOver: boolean;
  /** Time left until the session's deadline. `Infinity`: none. */
  readonly timeLeftMs: number;
  /** Retries that the call may still make, after those that all linked calls have counted. `Infinity`: linked to none. */
  readonly allowance: number;
  /** Whether the dependency's budget has the tokens for one more retry. */
  readonly budgetAllows: boolean;
  /** How long the dependency's breaker stays open. 0: it lets calls through, or is looked at again after the wait. */
  readonly breakerOpenMs: number;
  /** Whether the attempt was the probe of the dependency's breaker. Default `false`. */
  readonly probe?: boolean | undefined;
  /**
   * Stored items: time since the item was last charged, or first parked if that was later. Until it reaches
   * `maxFreeWaitMs`, a probe and a block inside an attempt cost no attempt. Default 0.
   */
  readonly unchargedForMs?: number | undefined;
  /** The rule for a failed attempt with unknown effect. `ask` leaves the decision to a person. */
  readonly onUnknown: 'retry' | 'ask';
  /** Uniform on [0, 1): a function of the session id and the execution number. */
  readonly random: number;
}

/** The fields of a policy that take part in a decision. */
export type DecisionPolicy = Pick<
  ResolvedPolicy,
  | 'enabled'
  | 'maxAttempts'
  | 'backoff'
  | 'baseDelayMs'
  | 'maxDelayMs'
  | 'multiplier'
  | 'immediateFirstRetry'
  | 'jitter'
  | 'jitterAmount'
  | 'maxFreeWaits'
  | 'maxFreeWaitMs'
> &
  // Policies that were stored before it existed have none.
  Pick<BackoffShape, 'delaysMs'>;
