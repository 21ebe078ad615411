import { pause } from '../clock/alarm.ts';
import type { Clock } from '../clock/clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { Ledger, OnceRequest, Reservation } from './ledger.ts';

/** The time until the first look at another caller's reservation, and the longest time between two looks. */
const FIRST_POLL_MS = 5;
const LONGEST_POLL_MS = 500;

type KeyRequest = OnceRequest & { readonly leaseMs: number; readonly clock: Clock };

/** Reserves the key, waiting for another holder if the request says so. */
export async function reserveOrWait(
  ledger: Ledger,
  {
    key,
    fingerprint = '',
    leaseMs,
    onInProgress = 'wait',
    waitMs = Infinity,
    clock,
    signal,
  }: KeyRequest,
): Promise<Extract<Reservation, { state: 'reserved' | 'done' }>> {
  const deadlineMs = clock.monotonic() + waitMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    signal?.throwIfAborted();
    const answer = await ledger.reserve(key, { fingerprint, leaseMs });
    if (answer.state === 'reserved' || answer.state === 'done') return answer;
    if (answer.state === 'conflict') {
      const { recordedFingerprint } = answer;
      throw new RedriveError(
        'idempotency_conflict',
        `Idempotency key ${key} was used with other parameters`,
        { key, fingerprint, recordedFingerprint },
      );
    }
    const waitLeftMs = deadlineMs - clock.monotonic();
    if (onInProgress === 'fail' || waitLeftMs <= 0) {
      const { leaseLeftMs } = answer;
      throw new RedriveError(
        'idempotency_in_progress',
        `Idempotency key ${key} is held by another caller`,
        { key, leaseLeftMs },
      );
    }
    await pause(clock, Math.min(pollMs, waitLeftMs), false, signal);
  }
}
