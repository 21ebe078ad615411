/** One assignment of an environment file, and the line that it begins on. */
export interface EnvEntry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

/** A line that is not an assignment. */
export interface EnvFileFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion: string;
}

export interface ParsedEnvFile {
  /** In the file's order; a name may come twice, and the last one counts. */
  readonly entries: readonly EnvEntry[];
  readonly faults: readonly EnvFileFault[];
}

/** The largest environment file. */
export const MAX_ENV_FILE_BYTES = 65_536;
/** A file of another kind would otherwise be answered with a report as long as itself. */
const MAX_FAULTS = 20;

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*/;
const BLANK = /^[ \t]*(?:#.*)?$/;
const AFTER_QUOTE = /^[ \t]*(?:#.*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Reads `KEY=value` lines: `export` may stand before them, `#` begins a comment (in an unquoted value after a space),
 * single quotes keep everything as it is, double quotes know `\n`, `\r`, `\t`, `\"` and `\\`, and a quoted value may
 * go over several lines. Nothing is expanded: `$HOME` is five characters.
 *
 * Node's own `util.parseEnv` is not used because it skips what it does not understand and knows no lines: a typing
 * error would be a value that silently does not count.
 */
export function parseEnvFile(text: string): ParsedEnvFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const entries: EnvEntry[] = [];
  const faults: EnvFileFault[] = [];
  let index = 0;
  while (index < lines.length && faults.length < MAX_FAULTS) {
    const read = readLine(lines, index);
    if ('fault' in read) faults.push(read.fault);
    else if (read.entry) entries.push(read.entry);
    index = read.next;
  }
  return { entries, faults };
}

type Read = { readonly next: number } & (
  | { readonly entry: EnvEntry | undefined }
  | { readonly fault: EnvFileFault }
);

function readLine(lines: readonly string[], index: number): Read {
  const text = lines[index] ?? '';
  const line = index + 1;
  const next = index + 1;
  if (BLANK.test(text)) return { entry: undefined, next };
  const [start, name] = ASSIGNMENT.exec(text) ?? [];
  if (start === undefined || name === undefined) {
    const column = text.length - text.trimStart().length + 1;
    const message = 'this line is not an assignment';
    return {
      fault: { line, column, message, suggestion: 'write NAME=value, or # to make it a comment' },
      next,
    };
  }
  const quote = text.charAt(start.length);
  if (quote !== '"' && quote !== "'") {
    const value = text
      .slice(start.length)
      .replace(/(?:^|[ \t])#.*$/, '')
      .trimEnd();
    return { entry: { name, value, line }, next };
  }
  const quoted = readQuoted(lines, index, start.length + 1, quote);
  if ('message' in quoted) {
    const column = start.length + 1;
    const suggestion = `write ${name}=${quote}value${quote}`;
    return { fault: { line, column, message: `${name}: ${quoted.message}`, suggestion }, next };
  }
  return { entry: { name, value: quoted.value, line }, next: quoted.next };
}

/** The text up to the closing quote, which may be on a later line. */
function readQuoted(
  lines: readonly string[],
  first: number,
  from: number,
  quote: string,
): { readonly value: string; readonly next: number } | { readonly message: string } {
  const parts: string[] = [];
  let begin = from;
  for (let index = first; index < lines.length; index++) {
    const text = lines[index] ?? '';
    const end = closingQuote(text, begin, quote);
    if (end !== -1) {
      if (!AFTER_QUOTE.test(text.slice(end + 1)))
        return { message: 'text follows the closing quote' };
      parts.push(text.slice(begin, end));
      const value = parts.join('\n');
      return { value: quote === '"' ? withEscapes(value) : value, next: index + 1 };
    }
    parts.push(text.slice(begin));
    begin = 0;
  }
  return { message: 'the quote is never closed' };
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === '\\' && quote === '"') at++;
  }
  return -1;
}

function withEscapes(value: string): string {
  return value.replace(/\\(.)/g, (whole, letter: string) =>
    letter === '"' || letter === '\\' ? letter : (ESCAPES[letter] ?? whole),
  );
}
