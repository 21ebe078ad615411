import type { PauseCommand, PauseResult } from '../store/commands.ts';
import { keptWhy } from '../store/kept-why.ts';
import type { Pause } from '../store/store.ts';
import type { Journal } from './journal.ts';

/** Queues and handlers of which nothing is claimed. */
export class Pauses {
  #pauses: readonly Pause[] = [];
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get all(): readonly Pause[] {
    return this.#pauses;
  }

  has(scope: Pause['scope'], name: string): boolean {
    return this.#pauses.some((pause) => pause.scope === scope && pause.name === name);
  }

  change({ kind, scope, name, actor }: PauseCommand, nowMs: number): PauseResult {
    if (this.has(scope, name) === (kind === 'pause')) return { ok: true, changed: false };
    const before = this.#pauses;
    this.#journal.changed(() => {
      this.#pauses = before;
    });
    this.#pauses =
      kind === 'pause'
        ? [
            ...this.#pauses,
            { scope, name, sinceMs: nowMs, by: actor.name, why: keptWhy(actor.why) },
          ]
        : this.#pauses.filter((pause) => pause.scope !== scope || pause.name !== name);
    return { ok: true, changed: true };
  }
}
