import { stripVTControlCharacters } from 'node:util';
import { maskSecrets } from '@redrive/core/stored';
import type { Captured } from './captured-output.ts';

/** How much of the end of stderr is looked at. */
export const STDERR_TAIL_BYTES = 4_096;

/** The most characters in the message. Records keep 500 characters of a message, and it has the exit code too. */
const MESSAGE_CHARACTERS = 440;

/**
 * The end of stderr as a message: without colours and control characters, and with secrets masked before it is cut,
 * because half a secret does not look like one.
 */
export function stderrMessage({ bytes, totalBytes }: Captured): string {
  const text = new TextDecoder().decode(bytes);
  const whole = totalBytes > bytes.length ? withoutHalfLine(text) : text;
  const plain = stripVTControlCharacters(whole)
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out here.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  const masked = maskSecrets(plain, STDERR_TAIL_BYTES).trim();
  return masked.length > MESSAGE_CHARACTERS ? `…${masked.slice(-MESSAGE_CHARACTERS)}` : masked;
}

/** The text before the first line end may be the rest of a line that was cut. */
function withoutHalfLine(text: string): string {
  const lineEnd = text.indexOf('\n');
  const isRest = lineEnd >= 0 && lineEnd < text.length - 1;
  return isRest ? text.slice(lineEnd + 1) : text.replace(/^\S*/, '');
}
