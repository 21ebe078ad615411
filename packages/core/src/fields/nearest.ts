/** Names longer than this are nobody's slip of a known one, and comparing them would cost time. */
const MAX_LENGTH = 100;

/**
 * The known name that a text most likely meant: the same but for case and separators, or up to a third of its letters
 * changed, left out, added or swapped. `undefined`: none is near.
 */
export function nearest(text: string, known: Iterable<string>): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const name of known) {
    if (name === text || name.length > MAX_LENGTH) continue;
    const distance = distanceOf(plain(text), plain(name));
    const allowed = Math.max(1, Math.floor(Math.max(text.length, name.length) / 3));
    if (distance <= allowed && distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[-_. ]/g, '');

/** Edits (change, leave out, add, swap neighbours) that turn one text into the other. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? i + j; // Row and column 0: as many edits as letters.
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    rows[i] = row;
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = change && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j - 1) + change,
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(a.length, b.length);
}
