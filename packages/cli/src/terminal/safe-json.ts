/** What a terminal obeys or hides and JSON does not escape, as the inside of a class of characters. */
export const BEYOND_JSON = String.raw`\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff`;

const ESCAPED = new RegExp(`[${BEYOND_JSON}]`, 'g');

/**
 * JSON that cannot move a cursor, hide text or reverse a line: JSON itself escapes only the first 32 characters, and
 * terminals obey more than those. Still JSON with the same meaning. The same characters as in durable's exports, which
 * a test compares: every command prints, and most need not load durable for that.
 */
export function safeJson(json: string): string {
  return json.replaceAll(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
