import type { Result } from '@redrive/durable/store';
import type { Claimed } from '../writer/claim.ts';

/** What most commands come to: done as asked. The other side knows what that means. */
export const DONE = 0;

/** A command's result on its way back from the writer. */
export type Outcome = typeof DONE | Exclude<Result, { readonly jobs: unknown }> | Claimed;
