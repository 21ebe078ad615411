// Encodes the columns of many jobs as parameters. A null parameter is a column of nulls; if a column is shorter than the
// others, the SQL functions read its missing values as null.

type Texts = readonly (string | null | undefined)[];

/** Most columns of most steps are null: that is found out before anything is made. */
function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** An array literal of any texts. */
export function textArray(values: Texts): string | null {
  if (values.every(isAbsent)) return null;
  const parts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    return `"${value.includes('\\') || value.includes('"') ? value.replace(/["\\]/g, '\\$&') : value}"`;
  });
  return `{${parts.join(',')}}`;
}

/** Separates joined texts. */
const SEPARATOR = '\u0001';

/**
 * Joins JSON texts and codes. Unlike an array literal, neither side has to scan every character, and these texts are most
 * of a step. JSON has only escaped control characters. A raw one in a caller's text is escaped here, because it would
 * shift the texts of all later jobs. The SQL functions read an empty text as null.
 */
export function joinedTexts(values: Texts): string | null {
  if (values.every((value) => isAbsent(value) || value === '')) return null;
  const parts = values.map((value) => value?.replaceAll(SEPARATOR, '\\u0001'));
  return parts.join(SEPARATOR);
}

/** Only the first value, if all are equal. For columns that are never null. */
export function onceIfAlike<T>(values: readonly T[]): readonly T[] {
  const [first] = values;
  return values.every((value) => value === first) ? values.slice(0, 1) : values;
}

/** SQL that splits joined texts. */
export function splitSql(parameter: string): string {
  return `string_to_array(${parameter}, E'\\x01', '')`;
}

/** Numbers and booleans. `otherwise` is the value that the SQL functions use for null. */
export function plainArray(
  values: readonly (number | boolean | null | undefined)[],
  otherwise?: number,
): string | null {
  if (values.every((value) => isAbsent(value) || value === otherwise)) return null;
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Bytes in the text form of `bytea`. */
export function bytesArray(values: readonly (Uint8Array | null)[]): string | null {
  return textArray(values.map((bytes) => bytes && `\\x${Buffer.from(bytes).toString('hex')}`));
}
