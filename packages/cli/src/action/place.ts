import type { Progress } from '@redrive/operate';
import type { ActionName } from '@redrive/operate/manifest';

/** Another action than that of the command, or how the caller follows it. */
export interface Call {
  readonly name?: ActionName;
  /** Default: that of the command. */
  readonly input?: object;
  /** Default: that of `--reason`. */
  readonly reason?: string;
  /** Aborted: begin nothing more. A request under way is not cancelled; a stream ends. */
  readonly signal?: AbortSignal;
  /** Reports of a bulk operation. On a server its answers have them. */
  readonly progress?: Progress;
}

/** A store or a server that actions run on. */
export interface Place {
  readonly run: (call?: Call) => Promise<Ran>;
  /** The items of a stream. A refusal comes before the first one. */
  readonly items: (call?: Call) => AsyncIterable<object>;
  readonly close: () => Promise<void>;
}

/** The answer of an action. */
export interface Ran {
  readonly answer: Readonly<Record<string, unknown>>;
  /** The store's time of the answer. */
  readonly nowMs: number;
  /** The URL of the store or of the server, without credentials. */
  readonly place: string;
  /** The store did not exist, and was created, or would be. */
  readonly created: boolean;
}
