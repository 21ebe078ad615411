import type { Clock } from '../clock/clock.ts';
import type { Ledger } from './ledger.ts';

interface Lease {
  readonly key: string;
  readonly token: number;
  readonly leaseMs: number;
  readonly clock: Clock;
}

/**
 * Renews a reservation at half-time until the returned function is called, or until the ledger says that the lease is
 * lost: then `complete` is refused in the end. An error of the ledger is no such answer; it is asked again soon.
 */
export function keepLease(ledger: Ledger, { key, token, leaseMs, clock }: Lease): () => void {
  let released = false;
  let timer = wakeIn(leaseMs / 2);

  function wakeIn(delayMs: number) {
    const next = clock.setTimer(delayMs, () => void renew());
    // Whatever the run waits for holds the process; a lease alone is no reason to stay.
    next.hold(false);
    return next;
  }

  async function renew(): Promise<void> {
    let nextMs = leaseMs / 2;
    try {
      if (!(await ledger.renew(key, token, leaseMs))) return;
    } catch {
      nextMs = leaseMs / 8;
    }
    if (!released) timer = wakeIn(nextMs);
  }

  return () => {
    released = true;
    timer.cancel();
  };
}
