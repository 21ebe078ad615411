import type { PauseCommand, PauseResult } from '../store/commands.ts';
import type { Pause } from '../store/store.ts';

/** Queues and handlers of which nothing is claimed. */
export class Pauses {
  #pauses: readonly Pause[] = [];

  get all(): readonly Pause[] {
    return this.#pauses;
  }

  has(scope: Pause['scope'], name: string): boolean {
    return this.#pauses.some((pause) => pause.scope === scope && pause.name === name);
  }

  change({ kind, scope, name, actor }: PauseCommand, nowMs: number): PauseResult {
    if (this.has(scope, name) === (kind === 'pause')) return { ok: true, changed: false };
    this.#pauses =
      kind === 'pause'
        ? [...this.#pauses, { scope, name, sinceMs: nowMs, by: actor.name, why: actor.why }]
        : this.#pauses.filter((pause) => pause.scope !== scope || pause.name !== name);
    return { ok: true, changed: true };
  }

  /** Does all of `step` or, when it throws, nothing of it. */
  atomically<T>(step: () => T): T {
    const before = this.#pauses;
    try {
      return step();
    } catch (error) {
      this.#pauses = before;
      throw error;
    }
  }
}
