const VERDICTS: Readonly<Record<string, string>> = {
  retry_after: 'retryAfter',
  dead_letter: 'deadLetter',
};

/**
 * An error, or the pattern of one, for people. The stored type of an error that a handler returned instead of throwing is
 * `verdict:final`: it is shown as `returned final`.
 */
export function errorWords(text: string): string {
  return text.replace(/^verdict:(\w+)/, (_, kind: string) => `returned ${VERDICTS[kind] ?? kind}`);
}
