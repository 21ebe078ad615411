import type { AttemptAccount } from '../decide/account.ts';

/** The port to the next rung of the ladder. Durable stores implement it. */
export interface HandOver {
  /** Stores the work; once it resolves, the work is safe. Should settle within its own timeout. */
  handOver(work: HandedOverWork): Promise<void>;
}

/** A session that goes on elsewhere: the same id, account and deadline. */
export interface HandedOverWork {
  readonly sessionId: string;
  readonly operation: string;
  readonly policyId: string;
  /** Who takes it up, and with what. */
  readonly handler: string;
  readonly payload: unknown;
  /** Wait before the next attempt. */
  readonly delayMs: number;
  /** Time left until the session's deadline. `Infinity`: none. */
  readonly timeLeftMs: number;
  readonly account: AttemptAccount;
  readonly tenantId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly idempotencyKey: string;
  readonly lastError: unknown;
}

/** What a call says about how its work can be stored. */
export interface HandOverOption {
  readonly to: HandOver;
  readonly handler: string;
  readonly payload: unknown;
}
