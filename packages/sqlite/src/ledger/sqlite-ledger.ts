import type { OnceLedger } from '@redrive/core';
import { type LedgerOptions, type StoredReservation, storeLedger } from '@redrive/durable/store';
import {
  type EncodedLedger,
  KEY_STATES,
  type LedgerOutcome,
  type LedgerRow,
} from './ledger-table.ts';

export interface LedgerParts {
  /** Commits it, together with whatever else arrives. */
  readonly commit: (call: EncodedLedger) => Promise<LedgerOutcome>;
  readonly find: (key: string) => Promise<LedgerRow | undefined>;
}

/** The ledger as this thread sees it. */
export function sqliteLedger({ commit, find }: LedgerParts, options?: LedgerOptions): OnceLedger {
  const write = async (call: EncodedLedger): Promise<boolean> => (await commit(call)) === true;
  return storeLedger(
    {
      reserve: async (key, { fingerprint, leaseMs }, retentionMs) =>
        // The answer to a reservation.
        (await commit([
          'reserve',
          key,
          fingerprint,
          Math.ceil(leaseMs),
          retentionMs,
        ])) as StoredReservation,
      renew: (key, token, leaseMs, retentionMs) =>
        write(['renew', key, token, Math.ceil(leaseMs), retentionMs]),
      end: (key, { state, token, value, metadata }, retentionMs) =>
        write(['end', key, token, KEY_STATES.indexOf(state), value, retentionMs, metadata]),
      async look(key) {
        const row = await find(key);
        if (row === undefined) return undefined;
        const [token, state, fingerprint, , value, metadata] = row;
        return { state: KEY_STATES[state] ?? 'in_progress', token, fingerprint, value, metadata };
      },
      clear: (key) => commit(['clear', key]),
    },
    options,
  );
}
