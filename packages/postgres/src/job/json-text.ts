/** JSON has no infinity: it becomes null, which stands for nothing else in what is written this way. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** What `writeJson` has written. The caller knows what that was. */
export function readJson(text: string): unknown {
  // A reviver makes parsing many times slower, and infinity is rare.
  if (!text.includes('null')) return JSON.parse(text);
  return JSON.parse(text, (_, value) => (value === null ? Number.POSITIVE_INFINITY : value));
}
