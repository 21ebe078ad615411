import type { StoredReservation } from '@redrive/durable/store';

// A ledger's calls on their way to the writer, where they commit together with everything else.

export type EncodedLedger =
  | readonly [kind: 'reserve', key: string, fingerprint: string, leaseMs: number, keptMs: number]
  | readonly [kind: 'renew', key: string, token: number, leaseMs: number, keptMs: number]
  | readonly [
      kind: 'end',
      key: string,
      token: number,
      state: number,
      value: string | null,
      keptMs: number,
      metadata: string | null,
    ]
  | readonly [kind: 'clear', key: string];

/** A key's state is stored as its place in here. */
export const KEY_STATES = ['in_progress', 'done', 'failed'] as const;
export const IN_PROGRESS = 0;
export const DONE = 1;

/** The result of a call: the answer to a reservation, or whether something was written. */
export type LedgerOutcome = StoredReservation | boolean;
