import { type AttemptAccount, chargedAttempts } from '@redrive/core/stored';

// A process that ends takes all its leases along, and nobody knows which of its jobs ended it. The first loss of a
// generation is put down to the process. From the second on the job is a suspect: fewer jobs are held beside it after each
// loss, a quarter of those before, so that a poisonous job is soon alone and takes few others along until then.

/** Leases that the job has lost in this generation, charged or not. */
export function lossesOf({ entries }: AttemptAccount): number {
  return entries.lease_lost + entries.process_lost;
}

/** Whether the job may be claimed ahead: it is not on its last attempt, and has lost no lease. */
export function isSafeAhead(account: AttemptAccount, maxAttempts: number): boolean {
  return chargedAttempts(account) + 1 < maxAttempts && lossesOf(account) === 0;
}

/** The number of losses from which on a job is a suspect. */
export const SUSPECT_LOSSES = 2;

/**
 * How many other jobs a worker of this concurrency may hold beside a job with this number of losses. 0: it holds it
 * alone.
 */
export function maxJobsBeside(losses: number, concurrency: number): number {
  return losses < SUSPECT_LOSSES ? Infinity : Math.floor(concurrency / 4 ** (losses - 1));
}

/** Suspects that one claim names. */
export const MAX_SUSPECTS = 64;

/** A job that a claim has passed over because of its losses. */
export interface Suspect {
  readonly id: string;
  readonly losses: number;
}
