/** A command with so much text or so many bytes in it counts for two, with twice as much for three. */
const LARGE = 16 * 1024;

/**
 * How many commands one counts for, by the length of its payload or result. Large ones count for more: a commit shall stay
 * short also where payloads are of a megabyte each, because others wait for it, and what waits for a commit is in memory.
 */
export function commandSize(length: number): number {
  return 1 + Math.floor(length / LARGE);
}
