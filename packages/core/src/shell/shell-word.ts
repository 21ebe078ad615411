/** The shell that a printed command is quoted for. */
export type Shell = 'posix' | 'powershell';

/** PowerShell on Windows, in Node and in browsers; otherwise a POSIX shell. */
function readersShell(): Shell {
  return globalThis.navigator?.platform?.startsWith('Win') ? 'powershell' : 'posix';
}

const PLAIN = {
  posix: /^[\w.:/+][\w.:/+-]*$/,
  // What it takes for a number may be written in another way afterwards: 007, 1.0, 1kb.
  powershell: /^(?:[A-Za-z_/][\w.:/+-]*|0|[1-9]\d{0,8})$/,
};
/** A terminal obeys or hides them, so that printing replaces them: they are written as escapes. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** One argument of a command line, quoted where the reader's shell would read anything else than the text itself. */
export function shellWord(text: string, shell: Shell = readersShell()): string {
  if (PLAIN[shell].test(text)) return text;
  return shell === 'posix' ? posixWord(text) : powershellWord(text);
}

function posixWord(text: string): string {
  if (!HIDDEN.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  // No quote and no backslash of the text stays, so that a shell without $'…' cannot run a part of it either.
  const escaped = text.replaceAll(/['\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    /[%]/.test(encodeURIComponent(character))
      ? encodeURIComponent(character).replaceAll('%', '\\x')
      : `\\x${character.charCodeAt(0).toString(16)}`,
  );
  return `$'${escaped}'`;
}

/**
 * Before version 7.3 PowerShell gave a program its arguments without escapes, so a quote in a name ended the argument, and
 * the rest of the name could be read as options. This part of a word has the escapes there, and is empty in later versions.
 */
const inOld = (escapes: string) => `$(if(!$PSNativeCommandArgumentPassing){'${escapes}'})`;

function powershellWord(text: string): string {
  // Old versions leave out an empty argument.
  if (text === '') return `(''+${inOld('""')})`;
  // Old versions put a text with spaces between quotes.
  const isWrapped = /[^\S\ufeff]|\u0085/.test(text);
  const parts = text.split(/(\\*"|\\+$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/u).flatMap((part, at) => {
    if (at % 2 === 0) return part === '' ? [] : [quotedPart(part)];
    const slashes = part.replace('"', '');
    // Between quotes two quotes are one. Backslashes before a quote count twice.
    if (part.endsWith('"'))
      return isWrapped
        ? [...(slashes && [`'${slashes}'`]), inOld(`${slashes}"`), `'"'`]
        : [inOld(`${slashes}\\`), `'${part}'`];
    if (slashes.startsWith('\\')) return [`'${part}'`, ...(isWrapped ? [inOld(part)] : [])];
    const units = [...Array(part.length).keys()].map((unit) => part.charCodeAt(unit));
    return units.map((unit) => `[char]0x${unit.toString(16)}`);
  });
  const [first = ''] = parts;
  if (parts.length === 1 && first.startsWith("'")) return first;
  // Text first: the sum of two characters is a number.
  return `(${first.startsWith("'") ? '' : "''+"}${parts.join('+')})`;
}

/** PowerShell ends a quoted text at any of its quotes, unless they are doubled. */
function quotedPart(text: string): string {
  return `'${text.replaceAll(POWERSHELL_QUOTES, '$&$&')}'`;
}

/**
 * A command for people to paste. Each value is quoted for their shell; a list becomes several words. Options stand before
 * arguments: `--` comes before the first argument that would be read as an option.
 *
 * ```ts
 * commandText`redrive dlq requeue ${'it is 7'}`; // redrive dlq requeue 'it is 7'
 * ```
 */
export function commandText(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  let text = parts[0] ?? '';
  let isEnded = false;
  for (const [at, value] of values.entries()) {
    const words = typeof value === 'object' ? value : [String(value)];
    const isOptions = /--[\w-]+[ =]$/.test(text);
    if (!isEnded && !isOptions && words.some((word) => word.startsWith('-'))) {
      // PowerShell keeps a bare one for itself where a program is started by a script.
      text += readersShell() === 'powershell' ? "'--' " : '-- ';
      isEnded = true;
    }
    text += words.map((word) => shellWord(word)).join(' ') + (parts[at + 1] ?? '');
  }
  return text;
}
