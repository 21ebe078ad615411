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
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, at(row, j) + 1, at(next, j - 1) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity;
