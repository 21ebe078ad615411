/**
 * The order of texts in every store: by code point, which is the order of their UTF-8 bytes. JavaScript's own compares
 * halves of surrogate pairs, and so puts an emoji before U+FFFD.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  if (index === length) return a.length - b.length;
  const left = a.charCodeAt(index);
  const right = b.charCodeAt(index);
  // If one of them is half of a surrogate pair, its code point is the higher one. Two halves compare like their pairs.
  if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1;
  return left - right;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
