import type { CommandSpec } from './command-spec.ts';

/** One field of what `--json` prints. Dots and brackets lead to it: `delays_ms[].min`. */
interface JsonField {
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

/** The last field of every list. */
const NEXT = 'next | text or null | the value for --after; null: this is the last page';

/** Every field that a command prints with `--json`. */
export function jsonFields({ json = '', rows }: CommandSpec): JsonField[] {
  return linesOf(rows === undefined ? json : `${json}\n${NEXT}`).map((line) => {
    const [path = '', type = '', meaning = ''] = line.split(' | ');
    return { path, type, meaning };
  });
}

/** The same fields further inside: `under('jobs[].', SUMMARY_FIELDS)`. */
export function under(path: string, fields: string): string {
  return linesOf(fields)
    .map((line) => path + line)
    .join('\n');
}

function linesOf(fields: string): string[] {
  return fields
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
