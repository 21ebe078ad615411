import {
  type Control,
  type ControlCommand,
  type ControlKind,
  type ControlResult,
  MAX_CONTROLS,
} from '../control/control-store.ts';
import { killKeysOf } from '../control/kill-target.ts';
import type { Job } from '../job/job.ts';
import { compareText } from './compare-text.ts';
import type { Journal } from './journal.ts';

/** The control documents, under one revision. */
export class ControlTable {
  readonly #all = new Map<string, Control>();
  readonly #journal: Journal;
  revision = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get all(): readonly Control[] {
    return [...this.#all.values()].sort(
      (a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key),
    );
  }

  change({ of: kind, key, expect, document }: ControlCommand): ControlResult {
    const name = nameOf(kind, key);
    const before = this.#all.get(name);
    if ((before?.revision ?? 0) !== expect) return { ok: false, refusal: 'changed' };
    if (before === undefined && document !== undefined && this.#isFull(kind)) {
      return { ok: false, refusal: 'full' };
    }
    const revision = this.#nextRevision();
    this.#put(name, document === undefined ? undefined : { kind, key, revision, document });
    return { ok: true, revision };
  }

  /** Whether a kill switch or a pause stops claims of this job. */
  stops(job: Job): boolean {
    return killKeysOf(job).some((key) => this.#all.has(nameOf('kill', key)));
  }

  #nextRevision(): number {
    const before = this.revision;
    this.#journal.changed(() => {
      this.revision = before;
    });
    this.revision += 1;
    return this.revision;
  }

  #isFull(kind: ControlKind): boolean {
    if (this.#all.size < MAX_CONTROLS) return false;
    const same = [...this.#all.values()].filter((control) => control.kind === kind);
    return same.length >= MAX_CONTROLS;
  }

  #put(name: string, after: Control | undefined): void {
    const before = this.#all.get(name);
    this.#journal.changed(() => this.#put(name, before));
    if (after === undefined) this.#all.delete(name);
    else this.#all.set(name, after);
  }
}

function nameOf(kind: ControlKind, key: string): string {
  return `${kind} ${key}`;
}
