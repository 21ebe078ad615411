import type { Clock, Timer } from '@redrive/core';
import type { RetentionOptions } from '../jobs/jobs.ts';
import type { Actor, PruneCommand } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { Notice } from './notice.ts';
import type { StoreContact } from './store-contact.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Jobs of one commit: others wait for it. */
const BATCH = 500;
/** Between two batches others come first. */
const PAUSE_MS = 100;

export interface RetentionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly keep: Required<RetentionOptions>;
  readonly actor: Actor;
  readonly notify: (notice: Notice) => void;
}

/** Deletes finished jobs when their time is over: once an hour, in small steps. */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: Timer | undefined;
  #deleted = 0;
  #closed = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    const { keep } = this.#parts;
    if (Object.values(keep).every((keptMs) => keptMs === Infinity)) return;
    this.#in(FIRST_MS);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #in(delayMs: number): void {
    if (this.#closed) return;
    this.#timer = this.#parts.clock.setTimer(delayMs, () => void this.#prune());
  }

  async #prune(): Promise<void> {
    const { store, contact, notify } = this.#parts;
    const answer = contact.isOpen
      ? await contact.ask(() => store.apply([this.#command()]))
      : undefined;
    const [result] = answer ?? [];
    this.#deleted += result?.deleted ?? 0;
    if (result?.more) return this.#in(PAUSE_MS);
    if (this.#deleted > 0) notify({ kind: 'pruned', deleted: this.#deleted });
    this.#deleted = 0;
    // A store that did not answer is asked again sooner.
    this.#in(result === undefined ? FIRST_MS : EVERY_MS);
  }

  #command(): PruneCommand {
    const { keep, actor } = this.#parts;
    return {
      kind: 'prune',
      succeededAfterMs: storable(keep.succeededMs),
      cancelledAfterMs: storable(keep.cancelledMs),
      deadAfterMs: storable(keep.deadMs),
      purgedAfterMs: storable(keep.purgedMs),
      limit: BATCH,
      actor,
    };
  }
}

/** Databases have no infinity among their whole numbers; nothing is older than this. */
function storable(keptMs: number): number {
  return Math.min(keptMs, Number.MAX_SAFE_INTEGER);
}
