/**
 * At least so many bytes has the JSON of a value, found without making it: of a text of hundreds of megabytes it would be
 * a second one, only to learn that it is too long. Stops counting above `maxBytes`.
 */
export function jsonAtLeast(value: unknown, maxBytes: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 0;
  const seen = new Set<object>([value]);
  const waiting: object[] = [value];
  let bytes = 0;
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      // Every element has at least a digit and a comma.
      if (next instanceof Uint8Array) bytes += next.length * 2;
      else if (!('toJSON' in next)) bytes += countParts(next, waiting, seen);
      if (bytes > maxBytes) return bytes;
    }
  } catch {
    // A getter or a proxy: JSON says what is wrong with it.
  }
  return bytes;
}

/** Counts what stands in an object or a list itself, and leaves the objects in it for later, each of them once. */
function countParts(parent: object, waiting: object[], seen: Set<object>): number {
  // Two brackets, and a comma after each part but the last.
  let bytes = 1;
  for (const part of Object.values(parent)) {
    if (typeof part === 'string') bytes += part.length + 3;
    else if (typeof part === 'number') bytes += 2;
    else if (typeof part === 'object' && part !== null && !seen.has(part)) {
      seen.add(part);
      waiting.push(part);
    }
  }
  return bytes;
}
