import type { OnceLedger } from '@redrive/core';
import {
  type LedgerOptions,
  type StoredKey,
  type StoredReservation,
  storeLedger,
} from '@redrive/durable/store';
import type { LedgerAnswer, LedgerCalls } from './ledger-calls.ts';

/** A reservation waits this long for a caller's transaction that works on the same key. */
const RESERVE_PATIENCE_MS = 20;

export function postgresLedger(calls: LedgerCalls, options?: LedgerOptions): OnceLedger {
  const isDone = async (call: Parameters<LedgerCalls['demand']>[0]): Promise<boolean> =>
    (await calls.demand(call)).answer === 'ok';
  return storeLedger(
    {
      async reserve(key, request, retentionMs) {
        const call = { what: 'reserve', key, ...request, retentionMs } as const;
        return reservationOf(await calls.call(call, RESERVE_PATIENCE_MS), request.leaseMs);
      },
      renew: (key, token, leaseMs, retentionMs) =>
        isDone({ what: 'renew', key, token, leaseMs, retentionMs }),
      end: (key, { state, token, value, metadata }, retentionMs) =>
        state === 'done'
          ? isDone({ what: 'complete', key, token, value, error: metadata, retentionMs })
          : isDone({ what: 'fail', key, token, error: value, retentionMs }),
      look: async (key) => keyOf(await calls.demand({ what: 'look', key })),
      clear: (key) => calls.demand({ what: 'clear', key }),
    },
    options,
  );
}

function reservationOf(answered: LedgerAnswer, leaseMs: number): StoredReservation {
  const { answer, token, fingerprint, value, leaseLeftMs } = answered;
  switch (answer) {
    case 'reserved':
      return { state: answer, token };
    case 'done':
      return { state: answer, value };
    case 'conflict':
      return { state: answer, recordedFingerprint: fingerprint };
    case 'in_progress':
      return { state: answer, leaseLeftMs };
    default:
      // A caller's transaction: nobody knows for how long.
      return { state: 'in_progress', leaseLeftMs: leaseMs };
  }
}

/** The column `error` has the failure, or what is kept beside a result. */
function keyOf({ answer, token, fingerprint, value, error }: LedgerAnswer): StoredKey | undefined {
  switch (answer) {
    case 'in_progress':
    case 'done':
      return { state: answer, token, fingerprint, value, metadata: error };
    case 'failed':
      return { state: answer, token, fingerprint, value: error, metadata: null };
    default:
      return undefined;
  }
}
