import { fieldProblems, refuse } from '../fields/check-fields.ts';
import { aLedger } from '../fields/ports.ts';
import type { Ledger } from './ledger.ts';
import { runOnce } from './once.ts';
import type { OnceRequest } from './once-request.ts';

/** A ledger with `once`, which runs a function once per key. The option `ledger` of `retry` takes it. */
export interface OnceLedger extends Ledger {
  once<T>(request: OnceRequest, run: (token: number) => T | PromiseLike<T>): Promise<T>;
}

/** Adds `once` to a ledger. Adapters give it to theirs, so that a program without a ledger does not carry the protocol. */
export function withOnce(ledger: Ledger): OnceLedger {
  refuse('invalid_option', 'ledger', fieldProblems({ ledger }, { ledger: aLedger }));
  return Object.assign(ledger, {
    once: <T>(request: OnceRequest, run: (token: number) => T | PromiseLike<T>) =>
      runOnce(ledger, request, run),
  });
}
