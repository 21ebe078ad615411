import { BEYOND_JSON } from './safe-json.ts';

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
