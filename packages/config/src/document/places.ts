import { isNode, type LineCounter } from 'yaml';
import { type Place, WHOLE_FILE } from '../problem/problem.ts';

/** Where everything stands in a file, by the keys that lead there. */
export class Places {
  readonly #lines: LineCounter;
  readonly #places = new Map<string, { readonly key: Place; readonly value: Place }>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** Remembers where a key and its value stand. A value that is not written down stands at its key. */
  note(path: readonly string[], key: unknown, value: unknown): Place {
    const text = path.join('.');
    const parent = path.length === 0 ? WHOLE_FILE : this.value(path.slice(0, -1));
    const keyAt = this.#placeOf(text, key) ??
      this.#placeOf(text, value) ?? { ...parent, path: text };
    const valueAt = this.#placeOf(text, value) ?? keyAt;
    this.#places.set(name(path), { key: keyAt, value: valueAt });
    return valueAt;
  }

  /** Where a node stands, without remembering it. */
  at(path: readonly string[], node: unknown): Place {
    return this.#placeOf(path.join('.'), node) ?? this.value(path);
  }

  /** Where a key stands, or what is nearest around it. */
  key(path: readonly string[]): Place {
    return this.#find(path, 'key');
  }

  /** Where a value begins, or what is nearest around it. */
  value(path: readonly string[]): Place {
    return this.#find(path, 'value');
  }

  #find(path: readonly string[], part: 'key' | 'value'): Place {
    const exact = this.#places.get(name(path));
    if (exact) return exact[part];
    for (let length = path.length - 1; length >= 0; length--) {
      const around = this.#places.get(name(path.slice(0, length)));
      // A missing field is reported at the key of the map around it.
      if (around) return { ...around.key, path: path.join('.') };
    }
    return { ...WHOLE_FILE, path: path.join('.') };
  }

  #placeOf(path: string, node: unknown): Place | undefined {
    const offset = isNode(node) ? node.range?.[0] : undefined;
    if (offset === undefined) return undefined;
    const { line, col } = this.#lines.linePos(offset);
    return { path, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** Keys may contain dots, so those cannot keep them apart. */
function name(path: readonly string[]): string {
  return path.join('\0');
}
