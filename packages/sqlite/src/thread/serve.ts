import { parentPort } from 'node:worker_threads';
import { describeError } from './describe-error.ts';
import type { Call, Reply } from './protocol.ts';

/** What a thread can be asked to do, by name. Each is synchronous: a thread does one thing after the other. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** The call that ends the thread. */
export const CLOSE = 'close';

/** Answers calls until the one that closes it. Answers how to say something by oneself. */
export function serve(tasks: Tasks): (event: string) => void {
  const port = parentPort;
  if (port === null) throw new Error('This file is the main file of a thread.');
  const post = (reply: Reply): void => port.postMessage(reply);
  port.on('message', ({ number, name, input }: Call) => {
    try {
      const task = tasks[name];
      if (task === undefined) throw new Error(`A thread does not know the task ${name}.`);
      // Both sides are of one version: the input is what the task takes.
      post({ number, value: task(input as never) });
    } catch (error) {
      post({ number, failure: describeError(error) });
    }
    if (name === CLOSE) port.close();
  });
  return (event) => post({ event });
}
