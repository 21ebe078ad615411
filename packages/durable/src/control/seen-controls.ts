import { CONTROL_KINDS, type Control, type ControlKind, type Controls } from './control-store.ts';
import { type ControlDocuments, documentOf } from './update-control.ts';

/** A document as a process knows it. */
export interface SeenControl<K extends ControlKind = ControlKind> {
  /** 0: this process is about to write it. */
  readonly revision: number;
  readonly document: ControlDocuments[K];
}

/** The document after a write that is under way. */
interface Expected {
  readonly kind: ControlKind;
  readonly key: string;
  readonly document: ControlDocuments[ControlKind] | null;
}

/** The documents that a process has read, overlaid with its own writes under way. Parses each one once. */
export class SeenControls {
  /** As the store has them. */
  #stored = emptyMaps();
  #shown = emptyMaps();
  readonly #expected = new Map<string, Expected>();
  /** All changes up to this revision are included. */
  revision = -1;
  /** The highest revision of the store's answers. A later answer is lower only if the store went back in time. */
  highest = -1;

  get hasAll(): boolean {
    return this.revision >= 0 && this.revision === this.highest;
  }

  of<K extends ControlKind>(kind: K): ReadonlyMap<string, SeenControl<K>> {
    // A document stands under its own kind.
    return this.#shown[kind] as unknown as ReadonlyMap<string, SeenControl<K>>;
  }

  /**
   * Takes all documents of an answer. `asked.highest`: the highest revision when it was asked; a lower answer means that the
   * store went back in time (a backup, or a replica that took over without the last changes), and nothing seen before is
   * valid. `asked.isSuspect`: that may have happened, and its revisions may be the same again. Returns whether anything
   * changed.
   */
  take({ revision, all }: Controls, asked: { highest: number; isSuspect: boolean }): boolean {
    const isBack = revision < asked.highest;
    const isAnew = isBack || asked.isSuspect;
    // Otherwise this process has written in the meantime, and knows more than this answer.
    if (!isAnew && revision <= this.revision) return false;
    const before = this.#stored;
    this.#stored = readAll(all, isAnew ? emptyMaps() : before);
    // Writes of this process since then are newer, and stay.
    if (!isBack) this.#keep(before, revision);
    this.revision = revision;
    this.highest = isBack ? revision : Math.max(this.highest, revision);
    this.#show();
    return true;
  }

  #keep(before: Maps, above: number): void {
    for (const kind of CONTROL_KINDS) {
      for (const [key, seen] of before[kind]) {
        if (seen.revision > above) this.#stored[kind].set(key, seen);
      }
    }
  }

  /** A write is sent. `null`: it deletes the document. */
  expect<K extends ControlKind>(kind: K, key: string, document: ControlDocuments[K] | null): void {
    this.#expected.set(`${kind} ${key}`, { kind, key, document });
    this.#show();
  }

  /** The store has this at this revision. `undefined`: none. */
  wrote<K extends ControlKind>(
    kind: K,
    key: string,
    revision: number,
    document: ControlDocuments[K] | undefined,
  ): void {
    if (document === undefined) this.#stored[kind].delete(key);
    else this.#stored[kind].set(key, { revision, document });
    this.highest = Math.max(this.highest, revision);
    // Its own change is the only one that it had not seen.
    if (this.revision >= 0 && revision === this.revision + 1) this.revision = revision;
  }

  /** The write has ended, with or without success. */
  forget(kind: ControlKind, key: string): void {
    this.#expected.delete(`${kind} ${key}`);
    this.#show();
  }

  #show(): void {
    const shown = { ...this.#stored };
    for (const { kind, key, document } of this.#expected.values()) {
      if (shown[kind] === this.#stored[kind]) shown[kind] = new Map(shown[kind]);
      const revision = this.#stored[kind].get(key)?.revision ?? 0;
      if (document === null) shown[kind].delete(key);
      else shown[kind].set(key, { revision, document });
    }
    this.#shown = shown;
  }
}

type Maps = Record<ControlKind, Map<string, SeenControl>>;

/** Parses documents that are not known yet. An unreadable one is left out. */
function readAll(all: readonly Control[], known: Maps): Maps {
  const read = emptyMaps();
  for (const control of all) {
    const { kind, key, revision } = control;
    // A later version may have kinds that this one does not know.
    if (!CONTROL_KINDS.includes(kind)) continue;
    const seen = known[kind].get(key);
    if (seen !== undefined && seen.revision >= revision) {
      read[kind].set(key, seen);
      continue;
    }
    const document = documentOf<ControlKind>(control);
    if (document !== undefined) read[kind].set(key, { revision, document });
  }
  return read;
}

function emptyMaps(): Maps {
  // It has every kind, because it is made from the list of them.
  return Object.fromEntries(CONTROL_KINDS.map((kind) => [kind, new Map()])) as Maps;
}
