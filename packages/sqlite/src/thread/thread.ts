import { Worker } from 'node:worker_threads';
import { RedriveError } from '@redrive/core';
import { TimeLimit } from '@redrive/durable/store';
import {
  type Call,
  type Caller,
  type Failure,
  isFirst,
  newStartFlag,
  type Reply,
  type StartFlag,
} from './protocol.ts';
import { CLOSE, STARTED } from './serve.ts';
import { type ThreadMain, threadProgram } from './thread-program.ts';

export interface ThreadOptions {
  /** In errors: the store's name. */
  readonly name: string;
  /** Tests pass the URL of a file of their own. */
  readonly main: ThreadMain | URL;
  /** The `workerData` of the thread. */
  readonly data: object;
  /**
   * Its calls change nothing. If it is closed before it has started, the calls are rejected without waiting for the start,
   * which takes seconds on a busy machine. Default `false`: the calls are carried out first.
   */
  readonly readsOnly?: boolean;
  /** A call that takes longer, once the thread has started, is rejected; the thread still finishes it. */
  readonly timeoutMs: number;
  readonly onEvent?: (event: string) => void;
  /** The thread died and was started again: it has lost its watches and other standing tasks. */
  readonly onRestart?: () => void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: RedriveError) => void;
}

/** On a machine that is busy enough, starting a thread takes many times as long as any call. */
const START_WITHIN_MS = 30_000;

/** Without a limit, V8 lets the young objects of a busy thread take 40 MiB more, and is not faster for it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/**
 * A thread that is started by the first call and again by the next one after it has died. It keeps the process alive only
 * while it owes an answer.
 */
export class Thread implements Caller {
  readonly #options: ThreadOptions;
  /** By number. */
  readonly #pending = new Map<number, Pending>();
  readonly #timeLimit: TimeLimit<number>;
  readonly #startLimit: TimeLimit<Worker>;
  #worker: Worker | undefined;
  #startFlag: StartFlag = newStartFlag();
  #hasStarted = false;
  #number = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#timeLimit = new TimeLimit(options.timeoutMs, (number) => this.#giveUp(number));
    this.#startLimit = new TimeLimit(START_WITHIN_MS, (worker) => {
      this.#lose(worker, new Error(`its thread did not start within ${START_WITHIN_MS} ms`));
      void worker.terminate();
    });
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
      // Both sides have the same version: the task's result has the type that the caller expects.
      this.#pending.set(this.#number, { resolve: (value) => resolve(value as T), reject });
      if (this.#hasStarted) this.#timeLimit.begin(this.#number);
      if (this.#pending.size === 1) this.#worker.ref();
      this.#worker.postMessage({ number: this.#number, name, input } satisfies Call);
    });
  }

  #start(): Worker {
    const { onRestart } = this.#options;
    // In a turn of its own: it will want to call.
    if (this.#number > 0 && onRestart !== undefined) queueMicrotask(onRestart);
    const { main, data } = this.#options;
    const [program, options] = main instanceof URL ? [main, {}] : threadProgram(main);
    // A thread inherits the flags of its process. `--input-type` describes a program on the command line (`node -e`), and
    // Node refuses it beside a file. Given flags are only for that case: Node refuses those of V8 among them.
    const isEval = process.execArgv.some((flag) => flag.startsWith('--input-type'));
    this.#startFlag = newStartFlag();
    const worker = new Worker(program, {
      ...options,
      workerData: { ...data, startFlag: this.#startFlag },
      resourceLimits: RESOURCE_LIMITS,
      ...(isEval && { execArgv: [] }),
    });
    this.#startLimit.begin(worker);
    worker.on('message', (reply: Reply) => this.#receive(worker, reply));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('its thread has ended')));
    return worker;
  }

  #receive(worker: Worker, reply: Reply): void {
    if ('event' in reply) {
      if (reply.event === STARTED) this.#started(worker);
      else this.#options.onEvent?.(reply.event);
      return;
    }
    const pending = this.#take(reply.number);
    // It may have been too late.
    if (pending === undefined) return;
    if ('failure' in reply) pending.reject(failureError(reply.failure, this.#options.name));
    else pending.resolve(reply.value);
  }

  #started(worker: Worker): void {
    this.#startLimit.end(worker);
    if (this.#worker !== worker) return;
    this.#hasStarted = true;
    for (const number of this.#pending.keys()) this.#timeLimit.begin(number);
  }

  #take(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    this.#timeLimit.end(number);
    if (this.#pending.size === 0) this.#worker?.unref();
    return pending;
  }

  /** The thread has died, so its calls get no answer. It is unknown whether a running write was applied. */
  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#hasStarted = false;
    this.#startLimit.end(worker);
    const error = unavailable(this.#options.name, cause.message, {}, cause);
    for (const number of [...this.#pending.keys()]) this.#take(number)?.reject(error);
  }

  #giveUp(number: number): void {
    const { name, timeoutMs } = this.#options;
    const message = `it did not answer within ${timeoutMs} ms; it is unknown whether a running write will be applied`;
    this.#take(number)?.reject(unavailable(name, message, { timeoutMs }));
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker !== undefined && this.#options.readsOnly && isFirst(this.#startFlag, 'caller')) {
      // It has opened nothing, and will not.
      this.#lose(worker, new Error('it is closed'));
      await worker.terminate();
    } else if (worker !== undefined) {
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
    this.#timeLimit.stop();
    this.#startLimit.stop();
  }
}

/** The error of a call that failed on the other side. `name` is the store's. */
export function failureError(failure: Failure, name: string): RedriveError {
  const { message, code, details, errcode, isCallersFault } = failure;
  if (code !== undefined) return new RedriveError(code, message, details);
  if (!isCallersFault) {
    return isReadOnly(errcode) ? forbidden(name, message) : unavailable(name, message, { errcode });
  }
  const text = `The store ${name} cannot store this job: ${message}.`;
  return new RedriveError('invalid_job', text, { store: name, errcode, isCallersFault });
}

/** SQLITE_PERM and SQLITE_READONLY: the rights of an open file were taken away, or it lies on a read-only mount. */
function isReadOnly(errcode: number | undefined): boolean {
  const primary = (errcode ?? 0) & 0xff;
  return primary === 3 || primary === 8;
}

function forbidden(name: string, message: string): RedriveError {
  const text = `This user may not write the store ${name}: ${message}. Let the user of this process write the file and its directory.`;
  return new RedriveError('store_forbidden', text, { store: name });
}

/** Whether a call failed because of its own data, and has written nothing. */
export function isCallersFault(error: unknown): boolean {
  return error instanceof RedriveError && error.details.isCallersFault === true;
}

/** The store itself is the problem. */
export function unavailable(
  name: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: Error,
): RedriveError {
  const text = `The store ${name} cannot be used: ${message}.`;
  return new RedriveError(
    'store_unavailable',
    text,
    { store: name, ...details },
    cause && { cause },
  );
}
