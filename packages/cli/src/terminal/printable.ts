/**
 * Text from files and arguments, fit for a terminal: control characters are shown as escapes, so that a file cannot
 * move the cursor, clear the screen or reverse the line that reports it.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
