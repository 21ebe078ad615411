import { CUT, MASK, maskSecrets, NAME } from './mask-secrets.ts';
import { read, sanitiseError, UNREADABLE } from './sanitise-error.ts';

const SECRET_KEY = /* @__PURE__ */ new RegExp(`${NAME}|authorization|cookie|^auth$`, 'i');
const MAX_KEY = 100;

/** Limits of a copied value. `…` marks omitted parts. */
export interface ContextBounds {
  /** Levels of nesting. Default 4. */
  readonly maxDepth?: number;
  /** Members of one object, items of one array. Default 50. */
  readonly maxKeys?: number;
  /** Characters of one string. Default 500. */
  readonly maxText?: number;
  /** Values in all, because 50 keys on each of 4 levels are millions. Default 1,000. */
  readonly maxValues?: number;
}

/**
 * A bounded copy of a value, fit for JSON and for records: members whose name says that they are secret are masked
 * whatever they hold, texts are masked by their shape, errors are described, cycles end at the depth. Never throws.
 * `toJSON` is called on dates only. Functions, symbols and binary data are replaced by the name of their type.
 */
export function sanitiseContext(value: unknown, bounds: ContextBounds = {}): unknown {
  const { maxDepth = 4, maxKeys = 50, maxText = 500, maxValues = 1_000 } = bounds;
  let values = 0;

  function copy(value: unknown, depth: number): unknown {
    if (++values > maxValues) return CUT;
    if (typeof value === 'string') return maskSecrets(value, maxText);
    if (typeof value === 'number') {
      const masked = maskSecrets(String(value), maxText);
      return Number(masked) === value && Number.isFinite(value) ? value : masked;
    }
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxDepth) return CUT;
    try {
      return copyObject(value, depth);
    } catch {
      return UNREADABLE;
    }
  }

  function copyObject(value: object, depth: number): unknown {
    if (value instanceof Date) return value.toJSON();
    if (value instanceof Error) return sanitiseError(value);
    if (ArrayBuffer.isView(value)) return '[binary]';
    if (Array.isArray(value)) {
      const items = value.slice(0, maxKeys).map((item) => copy(item, depth + 1));
      return value.length > maxKeys ? [...items, CUT] : items;
    }
    const keys = Object.keys(value);
    const entries = keys.slice(0, maxKeys).map((key): [string, unknown] => {
      const name = maskSecrets(key, MAX_KEY);
      return [name, SECRET_KEY.test(name) ? MASK : copy(read(value, key), depth + 1)];
    });
    if (keys.length > maxKeys) entries.push([CUT, keys.length - maxKeys]);
    return Object.fromEntries(entries);
  }

  return copy(value, 0);
}
