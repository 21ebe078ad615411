/** A line of a file, or why it cannot be read. Empty lines are left out. */
export type Line = { readonly number: number } & (
  | { readonly text: string }
  | { readonly problem: string }
);

const LINE_FEED = 0x0a;

/** Lines of UTF-8, one at a time, whatever the pieces that they come in; a line that is too long is passed over. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;

  function* end(): Generator<Line> {
    number += 1;
    const [line, length] = [kept, bytes];
    kept = [];
    bytes = 0;
    if (length > maxBytes) {
      yield { number, problem: `it has more than ${maxBytes.toLocaleString('en')} bytes` };
      return;
    }
    try {
      const text = decoder.decode(Buffer.concat(line)).trim();
      if (text !== '') yield { number, text };
    } catch {
      yield { number, problem: 'it is not UTF-8' };
    }
  }

  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      keep(piece.subarray(from, at));
      yield* end();
      from = at + 1;
    }
    keep(piece.subarray(from));
  }
  if (bytes > 0) yield* end();

  function keep(part: Uint8Array): void {
    bytes += part.length;
    // Of what is too long anyway nothing more is needed than its length.
    if (bytes <= maxBytes) kept.push(part);
    else kept = [];
  }
}
