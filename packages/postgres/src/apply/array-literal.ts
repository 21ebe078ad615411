/** A Postgres array literal; null where every entry is null, which the functions read the same way. */
export function textArray(values: readonly (string | null | undefined)[]): string | null {
  let literal = '';
  let empty = true;
  for (const value of values) {
    literal += literal === '' ? '{' : ',';
    if (value === null || value === undefined) {
      literal += 'NULL';
    } else {
      empty = false;
      literal += `"${value.includes('\\') || value.includes('"') ? value.replace(/["\\]/g, '\\$&') : value}"`;
    }
  }
  return empty ? null : `${literal}}`;
}

/** The same for numbers and truth values. `usual` is what the functions take a null for. */
export function plainArray(
  values: readonly (number | boolean | null | undefined)[],
  usual?: number,
): string | null {
  let literal = '';
  let empty = true;
  for (const value of values) {
    if (value !== null && value !== undefined && value !== usual) empty = false;
    literal += literal === '' ? '{' : ',';
    literal += value ?? 'NULL';
  }
  return empty ? null : `${literal}}`;
}

/** Bytes, as `bytea` reads them. */
export function bytesArray(values: readonly (Uint8Array | null)[]): string | null {
  return textArray(
    values.map(
      (bytes) =>
        bytes &&
        `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`,
    ),
  );
}
