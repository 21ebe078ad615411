import type { CommandSpec } from './command-spec.ts';

/** One field of what `--json` prints. Dots and brackets lead to it: `delays_ms[].min`. */
interface JsonField {
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

/** The last field of every list. */
const NEXT = 'next | text or null | the value for --after; null: this is the last page';

/** A field of every command that acts, unless it has its own words for it. */
const DRY_RUN = 'dry_run | boolean | true: nothing was changed';

/** Every field that a command prints with `--json`. */
export function jsonFields({ json, rows, acts }: CommandSpec): JsonField[] {
  if (json === undefined) return rows === undefined ? [] : fieldsOf([NEXT]);
  const own = linesOf(json);
  const isMissing = (name: string) => !own.some((line) => line.startsWith(`${name} |`));
  return fieldsOf([
    ...own,
    ...(acts && isMissing('dry_run') ? [DRY_RUN] : []),
    ...(rows && isMissing('next') ? [NEXT] : []),
  ]);
}

function fieldsOf(lines: readonly string[]): JsonField[] {
  return lines.map((line) => {
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
