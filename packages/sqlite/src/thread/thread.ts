import { Worker } from 'node:worker_threads';
import { type RedriveError, systemClock, type Timer } from '@redrive/core';
import type { Caller } from './caller.ts';
import { failureError, unavailable } from './failure-error.ts';
import type { Call, Reply } from './protocol.ts';
import { CLOSE } from './serve.ts';

export interface ThreadOptions {
  /** In errors: the store's name. */
  readonly name: string;
  readonly file: URL;
  /** What the thread finds as `workerData`. */
  readonly data: unknown;
  /** A call that takes longer is rejected. Whatever it does goes on. */
  readonly timeoutMs: number;
  readonly onEvent?: (event: string) => void;
}

interface Pending {
  readonly untilMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: RedriveError) => void;
}

/**
 * A thread that is started by the first call and again by the next one after it has died. It keeps the process alive only
 * while it owes an answer.
 */
export class Thread implements Caller {
  readonly #options: ThreadOptions;
  /** By number, and so the oldest first. */
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #number = 0;
  #timer: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  call<T>(name: string, input?: unknown): Promise<T> {
    if (this.#closing !== undefined) {
      return Promise.reject(unavailable(this.#options.name, 'it is closed'));
    }
    return this.#send<T>(name, input);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  #send<T>(name: string, input: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start();
      this.#number += 1;
      const untilMs = systemClock.monotonic() + this.#options.timeoutMs;
      // Both sides are of one version: the task's result is what the caller says.
      this.#pending.set(this.#number, { untilMs, resolve: (value) => resolve(value as T), reject });
      if (this.#pending.size === 1) this.#worker.ref();
      this.#worker.postMessage({ number: this.#number, name, input } satisfies Call);
      if (this.#timer === undefined) this.#wakeIn(this.#options.timeoutMs);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#options.file, { workerData: this.#options.data });
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('its thread has ended')));
    return worker;
  }

  #receive(reply: Reply): void {
    if ('event' in reply) {
      this.#options.onEvent?.(reply.event);
      return;
    }
    const pending = this.#take(reply.number);
    // It may have been too late.
    if (pending === undefined) return;
    if ('failure' in reply) pending.reject(failureError(reply.failure, this.#options.name));
    else pending.resolve(reply.value);
  }

  #take(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    if (this.#pending.size === 0) this.#worker?.unref();
    return pending;
  }

  /** The thread has died: nobody else will answer. What it was at may or may not have happened. */
  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = unavailable(this.#options.name, cause.message, {}, cause);
    for (const number of [...this.#pending.keys()]) this.#take(number)?.reject(error);
  }

  /** One timer for all calls, set for the oldest: answers cancel none, so a fast call costs no timer. */
  #wakeIn(delayMs: number): void {
    this.#timer = systemClock.setTimer(delayMs, () => {
      this.#timer = undefined;
      const nowMs = systemClock.monotonic();
      for (const [number, { untilMs }] of this.#pending) {
        if (untilMs > nowMs) {
          this.#wakeIn(untilMs - nowMs);
          return;
        }
        const { name, timeoutMs } = this.#options;
        const message = `it did not answer within ${timeoutMs} ms; whether it will still do what it was asked is not known`;
        this.#take(number)?.reject(unavailable(name, message, { timeoutMs }));
      }
    });
    this.#timer.hold(false);
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker !== undefined) {
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      try {
        await this.#send(CLOSE, undefined);
        worker.ref();
        await exited;
      } catch {
        // It hangs or is dead: there is nothing to wait for.
        await worker.terminate();
      }
    }
    this.#timer?.cancel();
  }
}
