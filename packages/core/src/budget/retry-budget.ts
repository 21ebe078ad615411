import type { ErrorClass } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/rules.ts';

/** The port of a retry budget. `RetryBudget` implements it in process; a shared budget may too. */
export interface Budget {
  /** A first attempt or a retry succeeded: deposit. */
  deposit(): void;
  /** Whether the budget has the tokens for one retry after this class of error. Takes nothing. */
  allows(errorClass: ErrorClass): boolean;
  /** Takes the tokens for one retry, before its wait. */
  take(errorClass: ErrorClass): void;
  /** Returns the tokens of `take`, because the retry never ran (the caller aborted its wait). */
  giveBack(errorClass: ErrorClass): void;
}

export interface RetryBudgetOptions {
  /** Tokens that each success deposits. 0.2 allows one retry for five successes. Default 0.2. */
  readonly ratio?: number;
  /** Tokens that each second adds, so that a client with few calls can retry too. Default 10. */
  readonly floorPerSecond?: number;
  /** The largest number of tokens in the budget; the budget starts with it. Default 100. */
  readonly burst?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Apart from the check, because budgets are on by default and these values need none. */
export const DEFAULT_BUDGET: Required<RetryBudgetOptions> = {
  ratio: 0.2,
  floorPerSecond: 10,
  burst: 100,
  clock: systemClock,
};

const amount = { kind: 'number', min: 0, max: 1_000_000_000 } as const;

/** Checks the options and fills in the defaults. @throws RedriveError `invalid_option` with every problem at once. */
export function resolveBudgetOptions(options: RetryBudgetOptions): Required<RetryBudgetOptions> {
  const { ratio, floorPerSecond, burst, clock } = DEFAULT_BUDGET;
  return resolveOptions('retry budget', options, {
    ratio: [ratio, amount],
    floorPerSecond: [floorPerSecond, amount],
    burst: [burst, amount],
    clock: [clock, aClock],
  });
}

/**
 * A retry after a rate limit costs less than a retry after a failure: throttling is cheap for the dependency, and it has
 * named the time for the next call. The ratio 5 : 14 is that of the AWS SDKs.
 */
const RATE_LIMITED_COST = 5 / 14;

/** Five deposits of 0.2 are not always 1 in binary. */
const EPSILON = 1e-9;

/**
 * A token bucket that limits the retries of one dependency in relation to its successes. A longer delay only moves
 * retries; a budget keeps them from multiplying the load of an outage. Only a success deposits tokens: when every call
 * fails, retries are limited to `burst` and then to `floorPerSecond`.
 */
export class RetryBudget implements Budget {
  readonly #clock: Clock;
  readonly #ratio: number;
  readonly #burst: number;
  readonly #floorPerMs: number;
  #tokens: number;
  #filledAtMs: number;

  constructor({ ratio, floorPerSecond, burst, clock }: Required<RetryBudgetOptions>) {
    this.#clock = clock;
    this.#ratio = ratio;
    this.#floorPerMs = floorPerSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAtMs = clock.monotonic();
  }

  /** The tokens in the budget now. */
  get tokens(): number {
    const nowMs = this.#clock.monotonic();
    this.#add((nowMs - this.#filledAtMs) * this.#floorPerMs);
    this.#filledAtMs = nowMs;
    return this.#tokens;
  }

  /** Whether it is full, and so the same as a new budget. */
  get full(): boolean {
    return this.tokens >= this.#burst;
  }

  /** Reads no clock: it runs after every successful call. */
  deposit(): void {
    this.#add(this.#ratio);
  }

  allows(errorClass: ErrorClass): boolean {
    return this.tokens + EPSILON >= costOf(errorClass);
  }

  /** Call `allows` first: missing tokens cannot be taken, but `giveBack` would add them. */
  take(errorClass: ErrorClass): void {
    this.#tokens = Math.max(0, this.tokens - costOf(errorClass));
  }

  giveBack(errorClass: ErrorClass): void {
    this.#add(costOf(errorClass));
  }

  #add(tokens: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + tokens);
  }
}

function costOf(errorClass: ErrorClass): number {
  return errorClass === 'rate_limited' ? RATE_LIMITED_COST : 1;
}

/**
 * Creates a retry budget. Pass the same budget to all calls of a dependency.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function retryBudget(options: RetryBudgetOptions = {}): RetryBudget {
  return new RetryBudget(resolveBudgetOptions(options));
}
