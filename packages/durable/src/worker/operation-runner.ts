import { bulkhead, type Clock, type Timer } from '@redrive/core';
import type { ControlView } from '../control/control-view.ts';
import { type BulkProgress, isOver } from '../control/rules/bulk-progress.ts';
import { regroupLetters } from '../dead-letter/rules/regroup-letters.ts';
import type { RulesInView } from '../dead-letter/rules/rule-documents.ts';
import { pauseMs } from '../operation/carry-out-operation.ts';
import {
  type BulkRunner,
  endLease,
  heldByOthersMs,
  operationRound,
  type RoundAnswer,
} from '../operation/operation-round.ts';
import type { FullStore } from '../store/full-store.ts';
import type { StoreContact, StoreTime } from './store-contact.ts';

/** Steps of bulk operations that one process does at the same time. One that waits, as a ramp may do for ever, takes none. */
const MOST_AT_ONCE = 4;
/** More than a store has of them. */
const MOST_QUEUED = 1_000_000;
/** How often is looked whether the process that carries one out has gone. */
const LOOK_MS = 2_000;

interface OperationRunnerParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly time: Pick<StoreTime, 'nowMs'>;
  readonly view: Pick<ControlView, 'of' | 'onChange'>;
  readonly rules: RulesInView;
  readonly worker: string;
}

/** Carries out bulk operations that were submitted, each as long as no other process does. */
export class OperationRunner {
  readonly #parts: OperationRunnerParts;
  /** Operations that this process carries out, by id. */
  readonly #running = new Map<string, Promise<void>>();
  /** Timers of those that wait for their next round, and how to wake them. */
  readonly #waits = new Map<Timer, () => void>();
  readonly #steps: ReturnType<typeof bulkhead>;
  #looking: Timer | undefined;
  /** Letters are grouped by other rules than those in force. The person who changed them submits it at once. */
  #regrouping: Timer | undefined;
  #stopWatching: (() => void) | undefined;
  #closed = false;

  constructor(parts: OperationRunnerParts) {
    this.#parts = parts;
    const { clock } = parts;
    this.#steps = bulkhead({ limit: MOST_AT_ONCE, queue: MOST_QUEUED, clock });
  }

  start(): void {
    this.#stopWatching = this.#parts.view.onChange(() => this.#look());
    this.#look();
  }

  /** Begins no further step. Resolves when the last one is done and other workers may go on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatching?.();
    this.#looking?.cancel();
    this.#regrouping?.cancel();
    for (const [timer, wake] of [...this.#waits]) {
      timer.cancel();
      wake();
    }
    await Promise.all(this.#running.values());
  }

  #look(): void {
    if (this.#closed) return;
    if (!this.#parts.rules.areApplied()) this.#regroupLater();
    for (const [id, { document }] of this.#parts.view.of('operation')) {
      if (!wantsWork(document) || this.#running.has(id)) continue;
      if (this.#isOthers(document)) this.#lookLater();
      else this.#begin(id);
    }
  }

  /** A guess, by the view: the store has the last word. */
  #isOthers(progress: BulkProgress): boolean {
    const { worker, time } = this.#parts;
    return heldByOthersMs(progress, worker, time.nowMs()) > 0;
  }

  #lookLater(): void {
    this.#looking ??= this.#parts.clock.setTimer(LOOK_MS, () => {
      this.#looking = undefined;
      this.#look();
    });
  }

  #regroupLater(): void {
    const { clock, contact, store, worker } = this.#parts;
    this.#regrouping ??= clock.setTimer(LOOK_MS, async () => {
      if (contact.isOpen && !this.#parts.rules.areApplied()) {
        const actor = { name: `worker:${worker}` };
        await contact.askByTimer('operations', () => regroupLetters(store, actor));
      }
      this.#regrouping = undefined;
      if (!this.#closed && !this.#parts.rules.areApplied()) this.#regroupLater();
    });
  }

  #begin(id: string): void {
    const run = this.#run(id).finally(() => {
      this.#running.delete(id);
      // It may be this one's turn again.
      if (!this.#closed) this.#lookLater();
    });
    this.#running.set(id, run);
  }

  async #run(id: string): Promise<void> {
    const { store, contact, clock, worker } = this.#parts;
    const runner = { store, worker, batch: store.actsPerStep };
    while (!this.#closed) {
      await this.#steps.enter();
      const startMs = clock.monotonic();
      const answer = await this.#step(runner, id).finally(() => this.#steps.leave());
      if (answer?.kind === 'rest' || answer?.kind === 'others') return;
      const waitMs = answer ? pauseMs(answer, clock.monotonic() - startMs) : LOOK_MS;
      if (!this.#closed) await this.#wait(waitMs);
    }
    if (contact.isOpen) await contact.askByTimer('operations', () => endLease(runner, id));
  }

  /** `undefined`: it was not done, or there was no answer. */
  async #step(runner: BulkRunner, id: string): Promise<RoundAnswer | undefined> {
    const { contact } = this.#parts;
    if (this.#closed || !contact.isOpen) return undefined;
    return contact.askByTimer('operations', () => operationRound(runner, id));
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#parts.clock.setTimer(delayMs, () => end());
      const end = (): void => {
        this.#waits.delete(timer);
        resolve();
      };
      this.#waits.set(timer, end);
    });
  }
}

function wantsWork(progress: BulkProgress): boolean {
  if (isOver(progress)) return !progress.settled;
  if (progress.bySubmitter) return false;
  return progress.state === 'running' || progress.underWay.length > 0;
}
