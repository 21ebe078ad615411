/** Characters that a terminal obeys or hides and JSON does not escape, as the inside of a class of characters. */
const BEYOND_JSON = String.raw`\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff`;

const ESCAPED_IN_JSON = new RegExp(`[${BEYOND_JSON}]`, 'g');

/**
 * JSON that cannot move a cursor, hide text or reverse a line: JSON itself escapes only the first 32 characters, and
 * terminals obey more than those. Still JSON with the same meaning. The same characters as in durable's exports, which
 * a test compares: every command prints, and most need not load durable for that.
 */
export function safeJson(json: string): string {
  return json.replaceAll(
    ESCAPED_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const ESCAPED = new RegExp(`[\\p{Cc}${BEYOND_JSON}]`, 'gu');

/**
 * Text from files and arguments, fit for a terminal: what a terminal obeys or hides is shown as an escape, so that a file
 * cannot move the cursor, clear the screen, hide text or reverse the line that reports it.
 */
export function printable(text: string): string {
  return text.replaceAll(ESCAPED, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** A command to paste, after a colon or between quotation marks; `'…'` is one word of it. It ends with the sentence. */
const COMMAND = /(?<=^|: |"|, or )(?:npx )?redrive(?: (?:'[^']*'|\\'|[^\s'"])+(?<![.,;:]))+/g;

/**
 * A text in lines of at most `columns` characters, broken between words; the lines after the first are indented. A word
 * that is longer than a line stays whole: it may be a path to copy. So does a command: a shell would run each of its lines.
 */
export function wrapWords(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  const whole = text.replaceAll(COMMAND, (command) => command.replaceAll(' ', '\0'));
  for (const each of whole.split(' ')) {
    const word = each.replaceAll('\0', ' ');
    const longer = line === '' ? word : `${line} ${word}`;
    if (line.trim() !== '' && [...longer].length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
