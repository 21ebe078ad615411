import type { AttemptEntry } from './decision.ts';

/**
 * The attempt account of a session on one rung. A claim charges one attempt before user code runs;
 * settling it enters the result, and refunds the attempt if the failure was not the operation's own.
 *
 * In every generation: claims = the sum of all entries, plus one while an attempt is running.
 */
export interface AttemptAccount {
  /** Starts at 1; a requeue opens the next one. */
  readonly generation: number;
  /** Attempts claimed in this generation. */
  readonly claims: number;
  /** How the settled attempts of this generation ended. */
  readonly entries: Readonly<Record<AttemptEntry, number>>;
  /** Attempts claimed over all generations: the counter of the random generator, so that no draw repeats. */
  readonly executions: number;
  /** Free (refunded) rate-limited waits in this generation, which have a ceiling. */
  readonly freeWaits: number;
  readonly freeWaitMs: number;
  /** The last wait of its own (see `ownWaitMs`), for decorrelated jitter. 0 before the first. */
  readonly lastDelayMs: number;
  /**
   * When the item was parked for the first time since its last charge, or parked and charged at once. 0: it was not
   * parked since. From then on it waits free of charge, up to the policy's `maxFreeWaitMs`.
   */
  readonly unchargedSinceMs: number;
  /**
   * Leases that were lost before the last attempt that succeeded, failed or was rate limited: that attempt showed that the
   * item does not end its process.
   */
  readonly clearedLosses: number;
}

/** The part of an account that `decide` reads. In process, where nothing is stored, the runner counts it itself. */
export interface AccountView {
  /** Attempts charged in this generation, including the attempt that just ended. */
  readonly charged: number;
  readonly freeWaits: number;
  readonly freeWaitMs: number;
  readonly lastDelayMs: number;
}

/** The view of an account whose running attempt has just ended. */
export function viewOf(account: AttemptAccount): AccountView {
  const { freeWaits, freeWaitMs, lastDelayMs } = account;
  return { charged: chargedAttempts(account), freeWaits, freeWaitMs, lastDelayMs };
}

const NO_ENTRIES: Readonly<Record<AttemptEntry, number>> = {
  succeeded: 0,
  failed: 0,
  rate_limited: 0,
  interrupted: 0,
  blocked: 0,
  cancelled: 0,
  lease_lost: 0,
  process_lost: 0,
};

/** An account without attempts. */
export function openAccount(): AttemptAccount {
  return {
    generation: 1,
    claims: 0,
    entries: NO_ENTRIES,
    executions: 0,
    freeWaits: 0,
    freeWaitMs: 0,
    lastDelayMs: 0,
    unchargedSinceMs: 0,
    clearedLosses: 0,
  };
}

/** Attempts that count against `maxAttempts`: all charged attempts, and the running attempt. */
export function chargedAttempts(account: AttemptAccount): number {
  return account.entries.failed + account.entries.lease_lost + (isRunning(account) ? 1 : 0);
}

/** Whether an attempt is claimed and not yet settled. */
export function isRunning(account: AttemptAccount): boolean {
  return account.claims > settledAttempts(account);
}

function settledAttempts({ entries }: AttemptAccount): number {
  return (
    entries.succeeded +
    entries.failed +
    entries.rate_limited +
    entries.interrupted +
    entries.blocked +
    entries.cancelled +
    entries.lease_lost +
    entries.process_lost
  );
}

/** Charges one attempt, before user code runs. */
export function claimAttempt(account: AttemptAccount): AttemptAccount {
  return { ...account, claims: account.claims + 1, executions: account.executions + 1 };
}

/**
 * Enters how the running attempt ended and the wait of its own that follows it, if one does: see `ownWaitMs`.
 *
 * @param parkedAtMs when the item was parked by this, on the store's clock. Absent: it was not.
 */
export function settleAttempt(
  account: AttemptAccount,
  entry: AttemptEntry,
  delayMs: number | undefined,
  parkedAtMs?: number,
): AttemptAccount {
  const free = entry === 'rate_limited';
  const isCharged = entry === 'failed' || entry === 'lease_lost';
  const unchargedSinceMs = isCharged ? 0 : account.unchargedSinceMs;
  const { lease_lost, process_lost } = account.entries;
  return {
    ...account,
    entries: { ...account.entries, [entry]: account.entries[entry] + 1 },
    freeWaits: account.freeWaits + (free ? 1 : 0),
    freeWaitMs: account.freeWaitMs + (free ? (delayMs ?? 0) : 0),
    lastDelayMs: delayMs ?? account.lastDelayMs,
    unchargedSinceMs: unchargedSinceMs || (parkedAtMs ?? 0),
    clearedLosses: RAN_TO_AN_END.has(entry) ? lease_lost + process_lost : account.clearedLosses,
  };
}

/** The others were interrupted, did not start, or lost their lease. */
const RAN_TO_AN_END: ReadonlySet<AttemptEntry> = new Set(['succeeded', 'failed', 'rate_limited']);

/** A requeued item starts over: fresh account, same session, and the generator's counter goes on. */
export function nextGeneration(account: AttemptAccount): AttemptAccount {
  return { ...openAccount(), generation: account.generation + 1, executions: account.executions };
}
