/** The shell that a printed command is quoted for. */
export type Shell = 'posix' | 'powershell';

/** PowerShell on Windows, in Node and in browsers; otherwise a POSIX shell. */
function readersShell(): Shell {
  return globalThis.navigator?.platform?.startsWith('Win') ? 'powershell' : 'posix';
}

const PLAIN = /^[\w.:/+][\w.:/+-]*$/;
/** A terminal obeys or hides them, so that printing replaces them: they are written as escapes. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');
/** PowerShell ends a quoted text at any of them. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** One argument of a command line, quoted where the reader's shell would read anything else than the text itself. */
export function shellWord(text: string, shell: Shell = readersShell()): string {
  if (PLAIN.test(text)) return text;
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

function powershellWord(text: string): string {
  const quoted = `'${text.replaceAll(POWERSHELL_QUOTES, '$&$&')}'`;
  if (!HIDDEN.test(text)) return quoted;
  const joined = quoted.replaceAll(EACH_HIDDEN, (character) => {
    const units = [...Array(character.length).keys()].map((at) => character.charCodeAt(at));
    return `'${units.map((unit) => `+[char]0x${unit.toString(16)}`).join('')}+'`;
  });
  return `(${joined})`;
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
      text += '-- ';
      isEnded = true;
    }
    text += words.map((word) => shellWord(word)).join(' ') + (parts[at + 1] ?? '');
  }
  return text;
}
