import { objectLoss } from './json-losses.ts';

/** Facts about the JSON of a value, found in one walk over it. */
export interface JsonMeasure {
  /** The JSON has at least this many bytes. Not counted further once it is above `maxBytes`. */
  readonly bytes: number;
  /** JSON would change a part of it without an error (`NaN` to `null`, a `Map` to `{}`): `jsonLosses` says which. */
  readonly suspect: boolean;
}

/** JSON leaves out `undefined`, as everybody expects. It changes other values that it has no type for. */
const isForeign = (part: unknown): boolean =>
  typeof part === 'bigint' || typeof part === 'function' || typeof part === 'symbol';

/**
 * Looks through a value without making its JSON: of a text of hundreds of megabytes that would be a second one, only to
 * learn that it is too long. One walk for both questions, because every payload and every result goes through it.
 */
export function measureJson(value: unknown, maxBytes: number): JsonMeasure {
  if (typeof value === 'string') return { bytes: value.length + 2, suspect: false };
  if (typeof value !== 'object' || value === null) {
    return { bytes: 0, suspect: typeof value === 'number' && !Number.isFinite(value) };
  }
  const seen = new Set<object>([value]);
  const waiting: object[] = [value];
  let bytes = 0;
  let suspect = false;
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const prototype: unknown = Object.getPrototypeOf(next);
      if (prototype !== Object.prototype && prototype !== Array.prototype) {
        suspect ||= objectLoss(next) !== undefined;
        if (next instanceof Uint8Array) {
          // Every element has at least a digit and a comma.
          bytes += next.length * 2;
          continue;
        }
      }
      if ('toJSON' in next) continue;
      const parts: readonly unknown[] = Object.values(next);
      // Two brackets, and a comma after each part but the last.
      bytes += 1;
      let isStrange = false;
      for (const part of parts) {
        if (typeof part === 'string') bytes += part.length + 3;
        else if (typeof part === 'number') {
          bytes += 2;
          if (!Number.isFinite(part)) suspect = true;
        } else if (typeof part === 'object') {
          if (part !== null && !seen.has(part)) {
            seen.add(part);
            waiting.push(part);
          }
        } else if (typeof part !== 'boolean') isStrange = true;
      }
      if (Array.isArray(next)) suspect ||= isStrange || parts.length !== next.length;
      else if (isStrange) suspect ||= parts.some(isForeign);
      if (bytes > maxBytes) break;
    }
  } catch {
    // A getter or a proxy: JSON says what is wrong with it.
  }
  return { bytes, suspect };
}
