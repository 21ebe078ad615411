import type { Clock } from '../clock/clock.ts';
import type { Ledger } from './ledger.ts';

interface Reserved {
  readonly key: string;
  readonly token: number;
  readonly leaseMs: number;
  readonly clock: Clock;
}

/** A reservation that is being renewed. */
export interface KeptLease extends Reserved {
  /** When the reservation ends if it is not renewed any more: monotonic time of the caller's clock. */
  untilMs(): number;
  /** Stops renewing. Safe to call twice. */
  release(): void;
}

/**
 * Renews a reservation at half-time until it is released, or until the ledger answers that the lease is lost: then
 * `complete` will be refused. After an error of the ledger the renewal is repeated soon.
 */
export function keepLease(ledger: Ledger, reserved: Reserved): KeptLease {
  const { key, token, leaseMs, clock } = reserved;
  let released = false;
  let untilMs = clock.monotonic() + leaseMs;
  let timer = wakeIn(leaseMs / 2);

  function wakeIn(delayMs: number) {
    const next = clock.setTimer(delayMs, () => void renew());
    // The work itself keeps the process alive; the timer of a lease must not.
    next.hold(false);
    return next;
  }

  async function renew(): Promise<void> {
    let nextMs = leaseMs / 2;
    const askedMs = clock.monotonic();
    try {
      if (!(await ledger.renew(key, token, leaseMs))) return;
      untilMs = askedMs + leaseMs;
    } catch {
      nextMs = leaseMs / 8;
    }
    if (!released) timer = wakeIn(nextMs);
  }

  return {
    ...reserved,
    untilMs: () => untilMs,
    release() {
      released = true;
      timer.cancel();
    },
  };
}
