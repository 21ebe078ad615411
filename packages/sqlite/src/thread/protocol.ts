import type { ErrorCode } from '@redrive/core';

/** The caller's side of a thread. */
export interface Caller {
  /** @throws RedriveError `store_unavailable`, or the error of the thread. */
  call<T>(name: string, input?: unknown): Promise<T>;
  /** Closes the thread after its running calls. Safe to call twice. */
  close(): Promise<void>;
}

/** The tasks of a thread, by name. Each is synchronous: a thread runs one task after the other. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** A `Caller` of a thread with these tasks: a wrong name or input does not compile. Both sides are of one version. */
export interface Calls<T extends Tasks> {
  call<Name extends keyof T & string>(
    name: Name,
    ...input: Parameters<T[Name]>
  ): Promise<ReturnType<T[Name]>>;
  close(): Promise<void>;
}

/** Memory of both sides: whether a thread has begun to serve calls, or was closed before that. */
export type StartFlag = Int32Array;

export function newStartFlag(): StartFlag {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** True for the first side to call it: the thread that starts, or the caller that closes it. */
export function isFirst(flag: StartFlag, side: 'thread' | 'caller'): boolean {
  return Atomics.compareExchange(flag, 0, 0, side === 'thread' ? 1 : 2) === 0;
}

/** A call on its way to a thread. */
export interface Call {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
}

/** A message of a thread: the answer to a call, or an event of its own. */
export type Reply =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly failure: Failure }
  | { readonly event: string };

/** An error on its way back: errors lose their own properties when they cross threads. */
export interface Failure {
  readonly message: string;
  /** Of an error of ours. */
  readonly code?: ErrorCode | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Of SQLite's: the extended result code. */
  readonly errcode?: number | undefined;
  /** The data of the call cannot be stored. Nothing was written. */
  readonly isCallersFault: boolean;
}
