/** Losses that a message names; the others are only counted. */
const MAX_NAMED = 3;
/** Deeper values overflow JSON's own recursion, which reports it. */
const MAX_DEPTH = 1_000;

/**
 * The parts of a value that JSON would change without an error, each with its path: `payload.items[3].price is NaN`.
 * Empty: none. Only for values that `measureJson` suspects, because it builds a path for every part.
 *
 * A value with `toJSON` (a Buffer, a URL) determines how it is written. JSON leaves out a member that is `undefined`, as
 * everybody expects; in a list it becomes `null`.
 */
export function jsonLosses(value: unknown, name: string, lossOfObject: LossOfObject): string[] {
  const losses: string[] = [];
  const around = new Set<object>();

  function look(part: unknown, path: string, isItem: boolean): void {
    if (losses.length > MAX_NAMED || around.size > MAX_DEPTH) return;
    const loss = lossOf(part, isItem, lossOfObject);
    if (loss !== undefined) losses.push(`${path} is ${loss}`);
    else if (typeof part === 'object' && part !== null && !('toJSON' in part))
      lookInside(part, path);
  }

  function lookInside(parent: object, path: string): void {
    // JSON reports a cycle.
    if (around.has(parent)) return;
    around.add(parent);
    if (Array.isArray(parent)) {
      for (let index = 0; index < parent.length && losses.length <= MAX_NAMED; index++) {
        look(parent[index], `${path}[${index}]`, true);
      }
    } else {
      for (const [key, part] of Object.entries(parent)) look(part, memberPath(path, key), false);
    }
    around.delete(parent);
  }

  try {
    look(value, name, false);
  } catch {
    // A getter or a proxy: JSON says what is wrong with it.
  }
  return losses;
}

/** As one sentence part: `payload.a is NaN; payload.b is a Map`. */
export function lossText(losses: readonly string[]): string {
  const named = losses.slice(0, MAX_NAMED).join('; ');
  return losses.length > MAX_NAMED ? `${named}; and more` : named;
}

function lossOf(part: unknown, isItem: boolean, lossOfObject: LossOfObject): string | undefined {
  switch (typeof part) {
    case 'number':
      return Number.isFinite(part) ? undefined : String(part);
    case 'bigint':
      return 'a bigint';
    case 'undefined':
      return isItem ? 'undefined' : undefined;
    case 'function':
    case 'symbol':
      return `a ${typeof part}`;
    case 'object':
      return part === null ? undefined : lossOfObject(part);
    default:
      return undefined;
  }
}

/** What JSON would do to an object that is not a plain one. `undefined`: it keeps it. */
export type LossOfObject = (part: object) => string | undefined;

/**
 * For payloads: the handler would get a Date as a text, although its type says Date. Nobody depends on the type of a
 * result in the same way, so there `objectLoss` lets a Date pass.
 */
export function payloadLoss(part: object): string | undefined {
  return Object.prototype.toString.call(part) === '[object Date]'
    ? 'a Date (enqueue its toISOString())'
    : objectLoss(part);
}

/** Objects that keep their content where JSON does not look: `Map`, `Set`, typed arrays, `RegExp`, `Headers`. */
export function objectLoss(part: object): string | undefined {
  if (part instanceof Date) return Number.isNaN(part.getTime()) ? 'an invalid Date' : undefined;
  if ('toJSON' in part) return undefined;
  if (part instanceof Number && !Number.isFinite(part.valueOf())) return String(part);
  const type = Object.prototype.toString.call(part).slice('[object '.length, -1);
  if (WRITTEN.has(type)) return undefined;
  return `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** JSON writes the parts of the first two, and the value in a wrapper. */
const WRITTEN: ReadonlySet<string> = new Set(['Object', 'Array', 'Boolean', 'Number', 'String']);

function memberPath(path: string, key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)
    ? `${path}.${key}`
    : `${path}[${JSON.stringify(key)}]`;
}
