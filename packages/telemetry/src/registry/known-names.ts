import { maskSecrets } from '@redrive/core/stored';
import { LABELS, MAX_VALUES, type NameKind, OTHER } from '../catalogue/labels.ts';

const MAX_NAME = 128;

/** The names of the configuration that may stand in labels. */
export class KnownNames {
  /** By the name as records have it; the value is the name as it is exposed. */
  readonly #names = new Map<NameKind, Map<string, string>>();

  /** Adds names. Beyond `MAX_VALUES` of one kind, names are not exposed. Returns whether any is new. */
  add(kind: NameKind, names: Iterable<string>): boolean {
    const known = this.#of(kind);
    const before = known.size;
    for (const name of names) {
      if (known.size >= MAX_VALUES) break;
      if (!known.has(name)) known.set(name, maskSecrets(name, MAX_NAME));
    }
    return known.size > before;
  }

  /** The values that a label can have, as far as they are known. */
  values(label: string): readonly string[] {
    const { values, from } = LABELS[label] ?? {};
    if (from !== undefined) return [...new Set(this.#of(from).values())];
    return values ?? [];
  }

  /** The value that stands for `value` in the label: the value itself, or `_other`. */
  exposed(label: string, value: string): string {
    const { values, from } = LABELS[label] ?? {};
    if (from !== undefined) return this.#of(from).get(value) ?? OTHER;
    return values === undefined || values.includes(value) ? value : OTHER;
  }

  #of(kind: NameKind): Map<string, string> {
    let names = this.#names.get(kind);
    if (names === undefined) {
      names = new Map();
      this.#names.set(kind, names);
    }
    return names;
  }
}
