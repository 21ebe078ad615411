import { answerOf } from '../classify/answer-of.ts';
import { systemClock } from '../clock/system-clock.ts';
import { type FieldRules, fieldProblems, problem, refuse } from '../fields/check-fields.ts';
import { aLedger } from '../fields/rules.ts';
import { keepLease } from './keep-lease.ts';
import type { Ledger, LedgerFailure, OnceLedger, OnceRequest } from './ledger.ts';
import { recordResult } from './record-result.ts';
import { reserveOrWait } from './reserve-or-wait.ts';

/** Adds `once` to a ledger. Adapters give it to theirs, so that a program without a ledger does not carry the protocol. */
export function withOnce(ledger: Ledger): OnceLedger {
  refuse('invalid_option', 'ledger', fieldProblems({ ledger }, { ledger: aLedger }));
  return Object.assign(ledger, {
    once: <T>(request: OnceRequest, run: (token: number) => T | PromiseLike<T>) =>
      runOnce(ledger, request, run),
  });
}

/**
 * Runs something once per idempotency key: reserve, run, record. Answers with the stored result where there is one, be
 * it `null` or `undefined`.
 *
 * An error of `run` is recorded, so that the key can be run again, and thrown unchanged. If recording a result fails, it
 * is repeated until the reservation ends. `idempotency_lost` means that `run` succeeded but its result is not recorded:
 * the lease was lost (another caller may have run it too), or the ledger failed until the end of the reservation (its
 * last error is the `cause`). The result is in `details.value`. A result that the ledger cannot store is thrown the same
 * way, with the ledger's own code: `payload_too_large` or `invalid_option`.
 *
 * @param run gets the token of the reservation, which increases with each reservation. The resource that `run` writes to
 *   can check it and refuse the late write of a holder that lost its lease.
 */
export async function runOnce<T>(
  ledger: Ledger,
  request: OnceRequest,
  run: (token: number) => T | PromiseLike<T>,
): Promise<T> {
  refuseWrongCall(request, run);
  const { key, leaseMs = 60_000, clock = systemClock, signal } = request;
  const reservation = await reserveOrWait(ledger, { ...request, leaseMs, clock });
  if (reservation.state === 'done') {
    tell(request, 'hit');
    // The caller promises that all results under a key have one type.
    return reservation.value as T;
  }
  const { token } = reservation;
  const lease = keepLease(ledger, { key, token, leaseMs, clock });
  try {
    const value = await runOrRecordFailure(ledger, key, token, () => {
      signal?.throwIfAborted();
      return run(token);
    });
    await recordResult(ledger, lease, value);
    tell(request, 'record');
    return value;
  } finally {
    lease.release();
  }
}

/** Plain JavaScript may pass anything. @throws RedriveError `invalid_option`. */
function refuseWrongCall(request: OnceRequest, run: unknown): void {
  const problems =
    Object(request) === request
      ? fieldProblems({ key: request.key, run }, CALL)
      : [problem('request', 'an object with a key', request)];
  refuse('invalid_option', 'call of once', problems);
}

const CALL: FieldRules = { key: { kind: 'string' }, run: { kind: 'function' } };

async function runOrRecordFailure<T>(
  ledger: Ledger,
  key: string,
  token: number,
  run: () => T | PromiseLike<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    try {
      await ledger.fail(key, token, failureOf(error));
    } catch {
      // The caller needs the operation's error, not the ledger's; the key is unclaimed again when the lease expires.
    }
    throw error;
  }
}

function failureOf(error: unknown): LedgerFailure {
  const thrown: { name?: unknown; message?: unknown } = Object(error);
  const { name = typeof error, message = typeof error === 'object' ? '' : error } = thrown;
  return { type: cut(name), message: cut(message) };
}

// Half a surrogate pair at the cut would be refused by stores that keep UTF-8.
const cut = (text: unknown): string => String(text).slice(0, 500).toWellFormed();

function tell({ onUse }: OnceRequest, action: 'hit' | 'record'): void {
  answerOf(() => onUse?.(action)); // A listener never fails the call.
}
