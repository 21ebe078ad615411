import type { JobState } from '@redrive/durable';

/** A state is stored as its place in here. Never reorder: files in the world rely on it. */
export const STATES: readonly JobState[] = [
  'scheduled',
  'ready',
  'parked',
  'leased',
  'succeeded',
  'dead',
  'cancelled',
  'purged',
];

export const SCHEDULED = 0;
export const READY = 1;
export const PARKED = 2;
export const LEASED = 3;
export const SUCCEEDED = 4;
export const DEAD = 5;
export const CANCELLED = 6;
export const PURGED = 7;

/** The state with this number. @throws Error for a number that no version of Redrive has written. */
export function stateOf(code: number): JobState {
  const state = STATES[code];
  if (state === undefined) throw new Error(`A job has the unknown state ${code}.`);
  return state;
}

/** Whether nothing more happens to it by itself. */
export function isFinalCode(code: number): boolean {
  return code >= SUCCEEDED;
}
