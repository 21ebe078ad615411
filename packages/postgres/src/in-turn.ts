import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock } from '@redrive/core';
import type { TransactionClient } from './driver-types.ts';

interface Turn {
  readonly client: TransactionClient;
  /** The call that made this one, on any client. */
  readonly outer: Turn | undefined;
  /** How many calls on its client it is inside of, itself included. */
  readonly depth: number;
  isOver: boolean;
}

export interface Patience {
  /** 0: not at all. */
  readonly waitMs: number;
  /** The error that is thrown when `waitMs` is over. */
  readonly refusal: () => Error;
}

interface Queue {
  /** How many calls have not ended. */
  open: number;
  /** The end of all calls so far. */
  end: Promise<void>;
}

const inside = new AsyncLocalStorage<Turn>();
/** Queues of the calls that the application makes on a client, and of the calls that one call makes. */
const queues = new WeakMap<TransactionClient | Turn, Queue>();

/**
 * Runs something that begins with a savepoint and may go back to it. Savepoints of one client are a stack: a rollback
 * to one undoes everything that was written since, by any call. So calls on one client take turns; only a call that
 * another call makes itself runs inside of that one.
 *
 * @param work gets how deep it is inside of others, for the name of its savepoint. Not one name per call, because servers
 *   keep statistics per text of a statement.
 */
export async function inTurn<T>(
  client: TransactionClient,
  patience: Patience,
  work: (depth: number) => Promise<T>,
): Promise<T> {
  const caller = runningOn(client);
  const place = caller ?? client;
  const queue = queues.get(place) ?? { open: 0, end: Promise.resolve() };
  const before = queue.open > 0 ? queue.end : undefined;
  // No timer is so short that a quick call could not end before it.
  if (before !== undefined && patience.waitMs === 0) throw patience.refusal();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  queues.set(place, queue);
  queue.open += 1;
  queue.end = before === undefined ? end : before.then(() => end);
  const depth = (caller?.depth ?? 0) + 1;
  const turn: Turn = { client, outer: inside.getStore(), depth, isOver: false };
  try {
    if (before !== undefined) await within(before, patience);
    return await inside.run(turn, () => work(depth));
  } finally {
    turn.isOver = true;
    queue.open -= 1;
    resolve();
  }
}

/** The call on this client inside of which this code runs, if any. */
function runningOn(client: TransactionClient): Turn | undefined {
  let turn = inside.getStore();
  // Code that a call started and did not wait for is outside of that call once the call has ended.
  while (turn !== undefined && (turn.client !== client || turn.isOver)) turn = turn.outer;
  return turn;
}

/** Waits for `end`, for at most the patience. */
export async function within(end: Promise<void>, { waitMs, refusal }: Patience): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = systemClock.setTimer(waitMs, () => reject(refusal()));
  try {
    await Promise.race([end, late]);
  } finally {
    timer.cancel();
  }
}
