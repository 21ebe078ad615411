import { expect, test } from 'vitest';
import { readExit } from '../command/read-exit.ts';
import { fingerprintOf } from '../dead-letter/fingerprint.ts';
import { isVerdict } from '../handler/verdict.ts';
import { failureOfVerdict } from '../worker/attempt-result.ts';
import { errorWords } from './error-words.ts';

/** The stored error of a program, with its message and as the pattern of its group. */
function errorOf(exitCode: number, stderr: string, stdout = ''): readonly [string, string] {
  const captured = (text: string) => ({ bytes: Buffer.from(text), totalBytes: text.length });
  const streams = { stdout: captured(stdout), stderr: captured(stderr) };
  const verdict = readExit({ kind: 'exited', exitCode, killedBy: null, ...streams });
  if (!isVerdict(verdict)) throw new Error('no verdict');
  const { error } = failureOfVerdict(verdict);
  return [`${error.type}: ${error.message}`, fingerprintOf(error).pattern];
}

test.each([
  [64, 'rates.json does not exist', '', 'exited with 64 (final): rates.json does not exist'],
  [127, '', '', 'exited with 127 (final): The command wrote nothing to stderr'],
  [75, 'try later', '{"retry_after_ms": 5}', 'exited with 75 (rate-limited): try later'],
])('a program that exited with %i', (exitCode, stderr, stdout, words) => {
  const [text, pattern] = errorOf(exitCode, stderr, stdout);
  expect(errorWords(text)).toBe(words);
  expect(errorWords(pattern)).toBe(words);
});

test('a handler that returned its error, and one that threw it', () => {
  expect(errorWords('verdict:final: no file')).toBe('returned final: no file');
  expect(errorWords('verdict:retry_after')).toBe('returned retryAfter');
  expect(errorWords('Error: no file (exit code 64)')).toBe('Error: no file (exit code 64)');
});
