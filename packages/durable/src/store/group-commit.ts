import { type Clock, RedriveError } from '@redrive/core';
import { TimeLimit } from './time-limit.ts';

export interface GroupCommitOptions<C, R> {
  /**
   * Carries out the commands in one transaction, in their order, and answers with one result each once that is durable.
   * The store limits its time.
   */
  readonly commit: (commands: readonly C[]) => Promise<readonly R[]>;
  /** The most commands of one commit. The commands of one caller stay together, even if they are more. */
  readonly maxCommands: number;
  /** How many commands one of them counts for. Default: one. */
  readonly sizeOf?: (command: C) => number;
  /** Commits under way at once. 1 keeps all callers in the order of their calls. */
  readonly inFlight: number;
  /**
   * A commit begins beside another one only when this number of commands wait: small ones are better off together in
   * the next one. Default 1.
   */
  readonly overlapFrom?: number;
  /** Commands that may wait for a commit. More are refused. Default 100,000. */
  readonly maxQueued?: number;
  /**
   * Whether a commit failed because of the commands of one caller, and has certainly written nothing. Only then are the
   * commands of each caller tried again by themselves. Default: never.
   */
  readonly isCallersFault?: (error: unknown) => boolean;
  /**
   * A caller that has not been answered after this time is refused. Commands that are not in a commit by then never
   * will be; the others may or may not be carried out. Default: no limit.
   */
  readonly timeoutMs?: number;
  /** Clock of the timeout. Default: the system's. */
  readonly clock?: Clock;
}

export interface GroupCommit<C, R> {
  /** Resolves after the commit that the commands went into; they are in one commit, in their order. */
  apply(commands: readonly C[]): Promise<readonly R[]>;
  /** Takes nothing more. Resolves when everything that was taken has settled. */
  drain(): Promise<void>;
  /** Commands that wait for a commit. */
  readonly queued: number;
}

/** The commands of one caller, and the answer to it. */
interface Part<C, R> {
  readonly commands: readonly C[];
  readonly size: number;
  readonly resolve: (results: readonly R[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits the commands of many callers together: one transaction, one sync to disk. Commands that arrive during a commit
 * form the next one, so the group grows with the load and no timer delays a caller that is alone.
 */
export function groupCommit<C, R>(options: GroupCommitOptions<C, R>): GroupCommit<C, R> {
  return new Commits(options);
}

class Commits<C, R> implements GroupCommit<C, R> {
  readonly #options: GroupCommitOptions<C, R>;
  readonly #maxQueued: number;
  #parts: Part<C, R>[] = [];
  #queued = 0;
  #underWay = 0;
  #gathering = false;
  #closed = false;
  #onDrained: (() => void)[] = [];
  readonly #timeLimit: TimeLimit<Part<C, R>>;

  constructor(options: GroupCommitOptions<C, R>) {
    const { timeoutMs = Infinity, clock } = options;
    this.#options = options;
    this.#maxQueued = options.maxQueued ?? 100_000;
    this.#timeLimit = new TimeLimit(timeoutMs, (part) => this.#giveUp(part), clock);
  }

  get queued(): number {
    return this.#queued;
  }

  apply(commands: readonly C[]): Promise<readonly R[]> {
    if (commands.length === 0) return Promise.resolve([]);
    if (this.#closed) return Promise.reject(unavailable('The store is closed.'));
    const size = this.#sizeOf(commands);
    if (this.#queued > 0 && this.#queued + size > this.#maxQueued) {
      const message = `${this.#queued} commands wait for the store already: it is slower than what arrives. Try again later.`;
      return Promise.reject(unavailable(message, { queued: this.#queued, limit: this.#maxQueued }));
    }
    return new Promise((resolve, reject) => {
      const part = { commands, size, resolve, reject };
      this.#parts.push(part);
      this.#queued += size;
      this.#timeLimit.begin(part);
      this.#gather();
    });
  }

  drain(): Promise<void> {
    this.#closed = true;
    return new Promise((resolve) => {
      this.#onDrained.push(resolve);
      this.#settleIfDrained();
    });
  }

  /**
   * Begins the next commit at the end of this turn of the event loop, when every promise reaction has run: callers who
   * were just answered and call again at once are then in it. A microtask alone would leave out all but the first.
   */
  #gather(): void {
    if (this.#gathering || !this.#mayBegin()) return;
    this.#gathering = true;
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#gathering = false;
        while (this.#parts.length > 0 && this.#mayBegin()) {
          void this.#commit(this.#take());
        }
      });
    });
  }

  #mayBegin(): boolean {
    const { inFlight, overlapFrom = 1 } = this.#options;
    if (this.#underWay === 0) return true;
    return this.#underWay < inFlight && this.#queued >= overlapFrom;
  }

  #sizeOf(commands: readonly C[]): number {
    const { sizeOf } = this.#options;
    if (sizeOf === undefined) return commands.length;
    return commands.reduce((sum, command) => sum + sizeOf(command), 0);
  }

  /** The oldest parts, as many as go into one commit. */
  #take(): readonly Part<C, R>[] {
    let count = 0;
    let size = 0;
    for (const part of this.#parts) {
      if (count > 0 && size + part.size > this.#options.maxCommands) break;
      count += 1;
      size += part.size;
    }
    const taken = this.#parts;
    this.#parts = taken.splice(count);
    this.#queued -= size;
    return taken;
  }

  async #commit(parts: readonly Part<C, R>[]): Promise<void> {
    this.#underWay += 1;
    const error = await this.#attempt(parts);
    if (error !== undefined && parts.length > 1 && this.#isCallersFault(error)) {
      for (const part of parts) {
        const its = await this.#attempt([part]);
        if (its !== undefined) this.#refuse(part, its);
      }
    } else if (error !== undefined) {
      for (const part of parts) this.#refuse(part, error);
    }
    this.#underWay -= 1;
    if (this.#parts.length > 0) this.#gather();
    else this.#settleIfDrained();
  }

  /** Answers the callers if the commit succeeds. Otherwise it answers no caller, and returns the error. */
  async #attempt(parts: readonly Part<C, R>[]): Promise<unknown> {
    const [first] = parts;
    const commands =
      first && parts.length === 1 ? first.commands : parts.flatMap((part) => part.commands);
    try {
      const results = await this.#options.commit(commands);
      if (results.length !== commands.length) {
        throw new Error(
          `The store answered ${commands.length} commands with ${results.length} results.`,
        );
      }
      let from = 0;
      for (const part of parts) {
        const to = from + part.commands.length;
        this.#timeLimit.end(part);
        part.resolve(parts.length === 1 ? results : results.slice(from, to));
        from = to;
      }
      return undefined;
    } catch (error) {
      return error ?? new Error('The commit failed without saying why.');
    }
  }

  #isCallersFault(error: unknown): boolean {
    return this.#options.isCallersFault?.(error) ?? false;
  }

  /** An error that says what it is stays as it is; any other one means that the store cannot be used. */
  #refuse(part: Part<C, R>, error: unknown): void {
    this.#timeLimit.end(part);
    const known = error instanceof RedriveError || this.#isCallersFault(error);
    part.reject(known ? error : unavailable(`The store failed: ${textOf(error)}`, {}, error));
  }

  /** Answers a caller for whom it has taken too long. */
  #giveUp(part: Part<C, R>): void {
    const { timeoutMs } = this.#options;
    const place = this.#parts.indexOf(part);
    if (place >= 0) {
      this.#parts.splice(place, 1);
      this.#queued -= part.size;
    }
    const what = place >= 0 ? 'nothing was done' : 'whether it was done is not known';
    part.reject(
      unavailable(`The store did not answer within ${timeoutMs} ms: ${what}.`, { timeoutMs }),
    );
    this.#settleIfDrained();
  }

  #settleIfDrained(): void {
    if (!this.#closed || this.#parts.length > 0 || this.#underWay > 0) return;
    this.#timeLimit.stop();
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}

function unavailable(
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): RedriveError {
  return new RedriveError(
    'store_unavailable',
    message,
    details,
    cause === undefined ? {} : { cause },
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Every 16 KiB of a payload or result count as one more command. */
const LARGE = 16 * 1024;

/**
 * How many commands one counts for, by the length of its payload or result. Large ones count for more: a commit shall stay
 * short also where payloads are of a megabyte each, because others wait for it, and what waits for a commit is in memory.
 */
export function commandSize(length: number): number {
  return 1 + Math.floor(length / LARGE);
}
