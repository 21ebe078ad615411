const VERDICTS: Readonly<Record<string, string>> = {
  retry_after: 'retryAfter',
  dead_letter: 'deadLetter',
};

/** The words for exit codes of programs that have a meaning. */
const EXITED: Readonly<Record<string, string>> = { final: 'final', retry_after: 'rate-limited' };

/**
 * An error with its message, or the pattern of one, for people. The stored type of an error that a handler returned
 * instead of throwing is `verdict:final`: it is shown as `returned final`, and of a program as `exited with 64 (final)`.
 */
export function errorWords(text: string): string {
  const [, verdict = '', said, code] =
    /^verdict:(\w+): (.*) \(exit code (\d+)\)$/s.exec(text) ?? [];
  const meaning = EXITED[verdict];
  if (meaning !== undefined) return `exited with ${code} (${meaning}): ${said}`;
  return text.replace(/^verdict:(\w+)/, (_, kind: string) => `returned ${VERDICTS[kind] ?? kind}`);
}
