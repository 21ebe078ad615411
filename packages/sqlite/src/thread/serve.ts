import { parentPort, workerData } from 'node:worker_threads';
import { isRedriveError } from '@redrive/core';
import { errcodeOf } from '../database/statement.ts';
import {
  type Call,
  type Failure,
  isFirst,
  type Reply,
  type StartFlag,
  type Tasks,
} from './protocol.ts';

/** The call that ends the thread. */
export const CLOSE = 'close';

/** The event of a thread that has started and answers from now on. */
export const STARTED = 'started';

/** Answers calls until the closing call. Tasks send their own events through `notify`. A thread that was closed before does nothing. */
export function serve(tasksOf: (notify: (event: string) => void) => Tasks): void {
  const port = parentPort;
  if (port === null) throw new Error('This file is the main file of a thread.');
  // Given by `Thread`, of the same version.
  if (!isFirst((workerData as { readonly startFlag: StartFlag }).startFlag, 'thread')) return;
  const tasks = tasksOf((event) => void port.postMessage({ event } satisfies Reply));
  port.on('message', (call: Call) => {
    port.postMessage(answer(tasks, call));
    if (call.name === CLOSE) port.close();
  });
  port.postMessage({ event: STARTED } satisfies Reply);
}

/** Runs the task of a call. */
export function answer(tasks: Tasks, { number, name, input }: Call): Reply {
  try {
    // Both sides are of one version: the input is what the task takes.
    return { number, value: taskOf(tasks, name)(input as never) };
  } catch (error) {
    return { number, failure: describeError(error) };
  }
}

export function taskOf(tasks: Tasks, name: string): Tasks[string] {
  const task = tasks[name];
  if (task === undefined) throw new Error(`A thread does not know the task ${name}.`);
  return task;
}

/** Primary result codes of SQLite that mean bad data and nothing else: TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const BAD_DATA: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** The description of an error for the other side. */
function describeError(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (isRedriveError(error)) {
    const { code, details } = error;
    return { message, code, details, isCallersFault: false };
  }
  const errcode = errcodeOf(error);
  const isBadData = errcode !== undefined && BAD_DATA.has(errcode & 0xff);
  // Node refuses values that SQLite has no type for before SQLite sees them.
  const isBadType = error instanceof TypeError || error instanceof RangeError;
  return { message, errcode, isCallersFault: isBadData || isBadType };
}
