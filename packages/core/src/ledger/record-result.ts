import { pause } from '../clock/alarm.ts';
import { type ErrorCode, isRedriveError, RedriveError } from '../errors/redrive-error.ts';
import type { KeptLease } from './keep-lease.ts';
import type { Ledger } from './ledger.ts';

/** The wait after the first failure, and the longest one. */
const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1_000;

/**
 * Records the result of a run that succeeded, and repeats this until the reservation ends: giving up earlier would let
 * the next caller repeat an effect whose result is known here.
 *
 * @throws RedriveError `idempotency_lost`; the ledger's own code for a result that it cannot keep.
 */
export async function recordResult(
  ledger: Ledger,
  lease: KeptLease,
  value: unknown,
): Promise<void> {
  const { key, token, clock } = lease;
  const lost = (why: string, options?: ErrorOptions, code: ErrorCode = 'idempotency_lost') =>
    new RedriveError(
      code,
      `Idempotency key ${key} ran, but ${why}`,
      { key, token, value },
      options,
    );
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    let recorded: boolean;
    try {
      recorded = await ledger.complete(key, token, value);
      // An earlier try may have been applied although its answer was lost.
      if (!recorded && waitMs > FIRST_WAIT_MS) recorded = await holdsResult(ledger, key, token);
    } catch (cause) {
      // A result that cannot be kept is final: another run has the effect again, and cannot keep it either.
      const isFinal = isRedriveError(cause) && /too_large|invalid/.test(cause.code);
      if (isFinal) throw lost('was not recorded', { cause }, cause.code);
      // From here on the reservation is not renewed, so that it ends also where only recording fails.
      lease.release();
      const leftMs = lease.untilMs() - clock.monotonic();
      if (leftMs <= 0) throw lost('was not recorded in time', { cause });
      await pause(clock, Math.min(waitMs, leftMs));
      continue;
    }
    if (recorded) return;
    throw lost('lost its lease: another caller may have run it too');
  }
}

async function holdsResult(ledger: Ledger, key: string, token: number): Promise<boolean> {
  const entry = await ledger.look(key);
  return entry?.state === 'done' && entry.token === token;
}
