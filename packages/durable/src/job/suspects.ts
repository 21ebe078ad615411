import type { AttemptAccount } from '@redrive/core/stored';

// A process that ends loses all its leases, and it is not known which of its jobs ended it. The first two losses in a row are
// blamed on the processes: healthy jobs lose two leases where machines are replaced. From the third loss on the job is a
// suspect: after each loss a worker holds a quarter as many jobs beside it, so that a poisonous job soon runs alone, and few
// others are lost with it until then. An attempt that succeeds, fails or is rate limited clears the
// job.

/** Leases that the job has lost in a row, charged or not. */
export function lossesOf({ entries, clearedLosses }: AttemptAccount): number {
  return entries.lease_lost + entries.process_lost - clearedLosses;
}

/**
 * After a crash, jobs that were claimed ahead wait until their leases run out and another worker takes them: for less than
 * this many leases.
 */
export const LEASES_UNTIL_TAKEN = 2;

/**
 * Whether a job may be claimed ahead: a crash of its holder would do no harm. It has lost no lease, and another worker would
 * take it before its deadline.
 */
export function isSafeAhead(
  account: AttemptAccount,
  deadlineMs: number | null | undefined,
  nowMs: number,
  leaseMs: number,
): boolean {
  const isInTime = (deadlineMs ?? Infinity) > nowMs + LEASES_UNTIL_TAKEN * leaseMs;
  return isInTime && lossesOf(account) === 0;
}

/** The number of losses in a row from which on a job is a suspect. */
export const SUSPECT_LOSSES = 3;

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
