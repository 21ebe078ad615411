// How columns of many jobs go to the server. Null stands for a column without anything but nulls, and the functions read a
// column that ends early as nulls too.

type Texts = readonly (string | null | undefined)[];

/** An array literal of texts that may be anything. */
export function textArray(values: Texts): string | null {
  let any = false;
  const parts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    any = true;
    return `"${value.includes('\\') || value.includes('"') ? value.replace(/["\\]/g, '\\$&') : value}"`;
  });
  return any ? `{${parts.join(',')}}` : null;
}

/** What separates joined texts. */
const SEPARATOR = '\u0001';

/**
 * JSON and codes, joined: neither side has to look at every character, as with an array literal, and these are most of
 * what a step carries. JSON has no control characters but escaped ones; where somebody brings one all the same, it is
 * escaped here, because it would shift the texts of all jobs behind it. The functions read an empty text as null.
 */
export function joinedTexts(values: Texts): string | null {
  let any = false;
  const parts = values.map((value) => {
    if (value === null || value === undefined || value === '') return '';
    any = true;
    return value.includes(SEPARATOR) ? value.replaceAll(SEPARATOR, '\\u0001') : value;
  });
  return any ? parts.join(SEPARATOR) : null;
}

/** The first one alone, where all are the same: for columns that are never null. */
export function onceIfAlike<T>(values: readonly T[]): readonly T[] {
  const [first] = values;
  return values.every((value) => value === first) ? values.slice(0, 1) : values;
}

/** The SQL that takes joined texts apart. */
export function splitSql(parameter: string): string {
  return `string_to_array(${parameter}, E'\\x01', '')`;
}

/** Numbers and truth values. `otherwise` is the value that the functions take null for. */
export function plainArray(
  values: readonly (number | boolean | null | undefined)[],
  otherwise?: number,
): string | null {
  let any = false;
  const parts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (value !== otherwise) any = true;
    return value;
  });
  return any ? `{${parts.join(',')}}` : null;
}

/** Bytes, as `bytea` reads them. */
export function bytesArray(values: readonly (Uint8Array | null)[]): string | null {
  return textArray(values.map((bytes) => bytes && `\\x${Buffer.from(bytes).toString('hex')}`));
}
