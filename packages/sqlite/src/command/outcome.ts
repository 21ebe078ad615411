import type { Result } from '@redrive/durable/store';
import type { LedgerOutcome } from '../ledger/encoded-ledger.ts';
import type { Claimed } from '../writer/claim.ts';

/** The result of most commands: done as asked. The caller's thread turns it into the command's own result. */
export const DONE = 0;

/** A command's result on its way back from the writer. */
export type CommandOutcome = typeof DONE | Exclude<Result, { readonly jobs: unknown }> | Claimed;

/** Of a command or a call of a ledger. */
export type Outcome = CommandOutcome | LedgerOutcome;
