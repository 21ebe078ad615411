import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock } from '@redrive/core';
import type { ClientBase } from 'pg';

/** Whoever makes calls on a client: the application, or what one of its calls runs. */
interface Caller {
  /** The call of it that has its turn. */
  open: Turn | undefined;
  /** How many calls it is inside of. */
  readonly depth: number;
}

export interface Turn extends Caller {
  readonly client: ClientBase;
  /** The call inside of which this one was made, on any client. */
  readonly outer: Turn | undefined;
  readonly whenOver: Promise<void>;
  isOver: boolean;
  /** Whether it belongs to the transaction that the client has now. One that hangs may have been left behind. */
  isCurrent: () => Promise<boolean>;
}

export interface Patience {
  readonly waitMs: number;
  /** What is thrown when it is over. */
  readonly refusal: () => Error;
}

const inside = new AsyncLocalStorage<Turn>();
const applications = new WeakMap<ClientBase, Caller>();

/**
 * Runs something that begins with a savepoint and may go back to it. Savepoints of one client are a stack: who goes back
 * to his own undoes everything that was written since, whoever wrote it. So calls on one client take turns; only a call
 * that another one runs itself goes on inside of that one.
 *
 * @param work gets its turn: how deep it is inside of others is for the name of its savepoint. Not one name per call,
 *   because servers keep statistics per text of a statement.
 */
export async function inTurn<T>(
  client: ClientBase,
  patience: Patience,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const caller = callerOn(client);
  const untilMs = systemClock.monotonic() + patience.waitMs;
  while (caller.open !== undefined) await itsEnd(caller.open, caller, untilMs, patience.refusal);
  const { promise: whenOver, resolve: end } = Promise.withResolvers<void>();
  const turn: Turn = {
    client,
    depth: caller.depth + 1,
    outer: inside.getStore(),
    whenOver,
    isOver: false,
    open: undefined,
    isCurrent: async () => true,
  };
  caller.open = turn;
  try {
    return await inside.run(turn, () => work(turn));
  } finally {
    turn.isOver = true;
    if (caller.open === turn) caller.open = undefined;
    end();
  }
}

function callerOn(client: ClientBase): Caller {
  for (let turn = inside.getStore(); turn !== undefined; turn = turn.outer) {
    // What a call has left behind, and which calls after its end, is inside of nothing any more.
    if (turn.client === client && !turn.isOver) return turn;
  }
  const known = applications.get(client);
  if (known !== undefined) return known;
  const application: Caller = { open: undefined, depth: 0 };
  applications.set(client, application);
  return application;
}

/** Resolves when a call has lost its turn. */
async function itsEnd(
  open: Turn,
  caller: Caller,
  untilMs: number,
  refusal: Patience['refusal'],
): Promise<void> {
  if (await open.isCurrent()) {
    await within(untilMs - systemClock.monotonic(), open.whenOver, refusal);
  } else if (caller.open === open) {
    caller.open = undefined;
  }
}

async function within(leftMs: number, promise: Promise<void>, refusal: () => Error): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = systemClock.setTimer(Math.max(0, leftMs), () => reject(refusal()));
  try {
    await Promise.race([promise, late]);
  } finally {
    timer.cancel();
  }
}
