import type { EnqueueResult, Result, SettleResult } from '@redrive/durable/store';
import type { Claimed } from '../writer/claim.ts';

/** What most commands come to: done as asked. The other side knows what that means. */
export const DONE = 0;

/** A command's result on its way back from the writer. */
export type Outcome = typeof DONE | Exclude<Result, { readonly jobs: unknown }> | Claimed;

export function asOutcome(result: EnqueueResult | SettleResult): Outcome {
  if (!result.ok || ('outcome' in result && result.outcome !== 'created')) return result;
  return DONE;
}
