import { CONTROL_KINDS, type Control, type ControlKind } from './control-store.ts';
import { type ControlDocuments, documentOf } from './update-control.ts';

/** A document as a process knows it. */
export interface SeenControl<K extends ControlKind = ControlKind> {
  /** 0: it is only expected to be there, because this process is about to write it. */
  readonly revision: number;
  readonly document: ControlDocuments[K];
}

/** What is expected of a write that is under way: another document, or none. */
interface Expected {
  readonly kind: ControlKind;
  readonly key: string;
  readonly document: ControlDocuments[ControlKind] | null;
}

/** The documents that a process has read, with those over them that it is about to write. Parses each one once. */
export class SeenControls {
  /** As the store has them. */
  #stored = emptyMaps();
  #shown = emptyMaps();
  readonly #expected = new Map<string, Expected>();

  of<K extends ControlKind>(kind: K): ReadonlyMap<string, SeenControl<K>> {
    // A document stands under its own kind.
    return this.#shown[kind] as unknown as ReadonlyMap<string, SeenControl<K>>;
  }

  /** Everything that the store had at this revision. What this process has written since is newer, and stays. */
  take(all: readonly Control[], revision: number): void {
    const before = this.#stored;
    const stored = emptyMaps();
    for (const control of all) {
      const { kind, key } = control;
      const known = before[kind].get(key);
      const isKnown = known !== undefined && known.revision >= control.revision;
      const document = isKnown
        ? known
        : { revision: control.revision, document: documentOf(control) };
      stored[kind].set(key, document);
    }
    for (const kind of CONTROL_KINDS) {
      for (const [key, seen] of before[kind]) {
        if (seen.revision > revision) stored[kind].set(key, seen);
      }
    }
    this.#stored = stored;
    this.#show();
  }

  /** A write is sent. `null`: one that takes it away. */
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
  }

  /** The write is over, one way or the other. */
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

function emptyMaps(): Maps {
  return {
    kill: new Map(),
    breaker: new Map(),
    gate: new Map(),
    park: new Map(),
    operation: new Map(),
  };
}
