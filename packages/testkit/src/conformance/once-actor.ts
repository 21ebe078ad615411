import type { Ledger } from '@redrive/core';

/**
 * Somebody who wants an effect under a key: its steps in their order, each of which can be the last one. A step says
 * whether there is more to do.
 */
export interface OnceActor {
  readonly steps: readonly (() => Promise<boolean>)[];
  /** It is gone, with whatever it held in memory; what it has written stays. */
  crash(): Promise<void>;
}

const REQUEST = { fingerprint: '', leaseMs: 1_000 };

/** Reserve, act, record: safe where the other side recognises the key, or the record belongs to the act. */
export function leaseActor(
  ledger: Ledger,
  key: string,
  act: (key: string) => Promise<void>,
): OnceActor {
  let token = 0;
  return {
    steps: [
      async () => {
        const reservation = await ledger.reserve(key, REQUEST);
        if (reservation.state === 'reserved') token = reservation.token;
        return reservation.state === 'reserved';
      },
      async () => {
        await act(key);
        return true;
      },
      async () => {
        await ledger.complete(key, token, 'done');
        return false;
      },
    ],
    crash: async () => {},
  };
}

/** Look, act, record: what people do without a ledger. */
export function lookActor(
  ledger: Ledger,
  key: string,
  act: (key: string) => Promise<void>,
): OnceActor {
  return {
    steps: [
      async () => (await ledger.look(key))?.state !== 'done',
      async () => {
        await act(key);
        return true;
      },
      async () => {
        const reservation = await ledger.reserve(key, REQUEST);
        if (reservation.state === 'reserved') await ledger.complete(key, reservation.token, 'done');
        return false;
      },
    ],
    crash: async () => {},
  };
}
