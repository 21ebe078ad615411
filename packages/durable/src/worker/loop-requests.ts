import { AsyncLocalStorage } from 'node:async_hooks';
import type { HeldJob } from './held-job.ts';

/** Requests to the claim loop. All parts of the worker make them; only the loop reads them, in its next turn. */
export class LoopRequests {
  /** Attempts that have finished, with their settlements to be written. */
  finished: HeldJob[] = [];
  /** Whether the store may have jobs to claim. */
  workExpected = true;
  /** The last claim got nothing, perhaps although there are jobs: the next one waits for a change. */
  isStuck = false;
  /** Counts the notices of work, to separate those before a claim from those after it. */
  hints = 0;
  tickDue = false;
  flushDue = false;
  #turn: () => void = () => {};
  #turnQueued = false;
  /** Handlers run in the context that the worker was started in, not in that of the last enqueue. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();

  /** The loop takes a turn when something was requested. */
  onTurn(turn: () => void): void {
    this.#turn = turn;
  }

  /** Once per burst: jobs that finish together are written together. */
  wake(): void {
    if (this.#turnQueued) return;
    this.#turnQueued = true;
    queueMicrotask(() => {
      this.#turnQueued = false;
      this.#inOwnContext(this.#turn);
    });
  }

  /** Whether the loop claims as soon as there is room, without another notice. */
  get claimsAnyway(): boolean {
    return this.workExpected && !this.isStuck;
  }

  /** The store may have jobs to claim. */
  expectWork(): void {
    this.workExpected = true;
    this.isStuck = false;
    this.hints += 1;
    this.wake();
  }

  /** Something parked may be released, or a deadline has passed. */
  expectTick(): void {
    this.tickDue = true;
    this.expectWork();
  }

  /** An attempt has finished: its settlement must be written. */
  settle(held: HeldJob): void {
    this.isStuck = false;
    this.finished.push(held);
    this.wake();
  }

  /** Writes all finished attempts now. */
  flush(): void {
    this.flushDue = true;
    this.wake();
  }
}
