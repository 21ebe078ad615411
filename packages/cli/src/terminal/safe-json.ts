/**
 * JSON that cannot move a cursor or reverse a line: JSON itself escapes only the first 32 characters, and terminals obey
 * more than those. Still JSON with the same meaning.
 */
export function safeJson(json: string): string {
  return json.replaceAll(/[\u007f-\u009f\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
