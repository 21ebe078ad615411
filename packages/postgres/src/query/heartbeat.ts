import { encodeProgress, type HeartbeatAnswer, type LeaseRef } from '@redrive/durable/store';
import { plainArray, textArray } from '../apply/array-literal.ts';
import type { Reader } from './reader.ts';

/** A heartbeat waits for a locked row for at most this fraction of its lease: 1/24. */
const WAITS_PER_LEASE = 24;
const MAX_WAIT_MS = 500;

/**
 * Extends leases. A lease that the function does not name is `lost`.
 *
 * @param maxWaitMs longest wait for a row that another transaction has locked.
 */
export async function heartbeat(
  reader: Reader,
  leases: readonly LeaseRef[],
  leaseMs: number,
  maxWaitMs = MAX_WAIT_MS,
): Promise<readonly HeartbeatAnswer[]> {
  if (leases.length === 0) return [];
  const waitMs = Math.min(maxWaitMs, Math.ceil(leaseMs / WAITS_PER_LEASE));
  const [row] = await reader.rows({
    name: 'redrive heartbeat',
    text: `select array_to_json(held), array_to_json(cancelled), array_to_json(busy)
      from ${reader.schema}.heartbeat($1, $2, $3, $4, $5, $6)`,
    values: [
      reader.nowMs,
      textArray(leases.map(({ id }) => id)),
      plainArray(leases.map(({ token }) => token)),
      textArray(leases.map(({ progress }) => progress && JSON.stringify(encodeProgress(progress)))),
      Math.ceil(leaseMs),
      waitMs,
    ],
  });
  const answers = new Array<HeartbeatAnswer>(leases.length).fill('lost');
  const [held, cancelled, busy] = (row ?? []).map(readNumbers);
  for (const ord of held ?? []) answers[ord - 1] = 'held';
  for (const ord of cancelled ?? []) answers[ord - 1] = 'cancel';
  for (const ord of busy ?? []) answers[ord - 1] = 'busy';
  return answers;
}

function readNumbers(text: string | null): number[] {
  // The function returns arrays of integers.
  return text === null ? [] : (JSON.parse(text) as number[]);
}
