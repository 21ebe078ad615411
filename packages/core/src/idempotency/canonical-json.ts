import { RedriveError } from '../errors/redrive-error.ts';

const MAX_DEPTH = 64;
const MAX_LENGTH = 2 ** 20;

/** Suggestions for common objects without canonical JSON. */
const INSTEAD: Readonly<Record<string, string>> = {
  Map: '; pass Object.fromEntries(map)',
  Set: '; pass a sorted array',
};

/**
 * Canonical JSON (RFC 8785): the one text of a value. Members sorted by UTF-16 code units, numbers as JavaScript writes
 * them (`-0` is `0`), no white space.
 *
 * Follows `JSON.stringify` where that loses nothing: `toJSON` is used (dates), members that are `undefined` are left
 * out. Where it would give two different values the same text, or a text that other languages read differently, this
 * throws a `not_canonical` error with the value's JSON Pointer in `details.path`: `NaN`, infinities, invalid dates,
 * integers beyond ±(2^53 - 1), lone surrogates, `undefined` in arrays, bigints, functions, symbols, cycles, and objects
 * without a JSON form (`Map`, `Set`, `RegExp`, typed arrays, …). So do more than 64 levels and more than 2^20 characters.
 */
export function canonicalJson(value: unknown): string {
  const path: string[] = [];
  const ancestors: object[] = [];
  let text = '';

  function refuse(problem: string): never {
    const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const at = pointer.join('');
    throw new RedriveError('not_canonical', `No canonical JSON for ${problem} at "${at}"`, {
      path: at,
    });
  }

  function write(part: string): void {
    text += part;
    if (text.length > MAX_LENGTH) refuse(`more than ${MAX_LENGTH} characters`);
  }

  function writeString(string: string): void {
    if (!string.isWellFormed()) refuse('a lone surrogate');
    write(JSON.stringify(string));
  }

  function writeNumber(number: number): void {
    // 2^53 itself is out too, because 2^53 + 1 has become 2^53 before it gets here.
    if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) {
      refuse(`the number ${number}; pass large integers as strings`);
    }
    write(String(number));
  }

  function writeArray(items: readonly unknown[]): void {
    write('[');
    // entries() visits the holes of a sparse array too, which forEach would step over.
    for (const [index, item] of items.entries()) {
      path.push(String(index));
      if (index > 0) write(',');
      writeValue(jsonForm(item));
      path.pop();
    }
    write(']');
  }

  function writeObject(members: Readonly<Record<string, unknown>>): void {
    write('{');
    let separator = '';
    for (const name of Object.keys(members).sort()) {
      path.push(name);
      const member = jsonForm(members[name]);
      if (member !== undefined) {
        write(separator);
        writeString(name);
        write(':');
        writeValue(member);
        separator = ',';
      }
      path.pop();
    }
    write('}');
  }

  /** Applies `toJSON`, as `JSON.stringify` does, before the check for `undefined`. */
  function jsonForm(raw: unknown): unknown {
    if (raw instanceof Date && Number.isNaN(raw.getTime())) refuse('an invalid date');
    if (typeof raw !== 'object' || raw === null || !('toJSON' in raw)) return raw;
    return typeof raw.toJSON === 'function' ? raw.toJSON(path.at(-1) ?? '') : raw;
  }

  function writeValue(form: unknown): void {
    if (typeof form === 'string') writeString(form);
    else if (typeof form === 'number') writeNumber(form);
    else if (typeof form === 'boolean' || form === null) write(String(form));
    else if (typeof form === 'object') writeNested(form);
    else refuse(`${form === undefined ? '' : 'a '}${typeof form}`);
  }

  function writeNested(nested: object): void {
    if (ancestors.includes(nested)) refuse('a cycle');
    if (ancestors.push(nested) > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} levels`);
    const tag = Object.prototype.toString.call(nested).slice(8, -1);
    if (Array.isArray(nested)) writeArray(nested);
    // Any other object tagged "Object" has string keys; a type cannot express that.
    else if (tag === 'Object') writeObject(nested as Record<string, unknown>);
    else refuse(`a ${tag}${INSTEAD[tag] ?? ''}`);
    ancestors.pop();
  }

  writeValue(jsonForm(value));
  return text;
}
