// A ledger's calls on their way to the writer, where they commit together with everything else.

export type EncodedLedger =
  | readonly [kind: 'reserve', key: string, fingerprint: string, leaseMs: number, keptMs: number]
  | readonly [kind: 'renew', key: string, token: number, leaseMs: number, keptMs: number]
  | readonly [
      kind: 'end',
      key: string,
      token: number,
      state: typeof DONE | typeof FAILED,
      value: string | null,
      keptMs: number,
      metadata: string | null,
    ]
  | readonly [kind: 'clear', key: string];

export const IN_PROGRESS = 0;
export const DONE = 1;
export const FAILED = 2;

/** What came of a call. */
export type LedgerOutcome =
  | { readonly reserved: number }
  | { readonly done: string | null }
  | { readonly leaseLeftMs: number }
  | { readonly recordedFingerprint: string }
  | { readonly written: boolean };
