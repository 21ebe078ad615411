import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { maskSecrets } from '@redrive/core/stored';

/** The part of a stream that was kept, and the size of the whole. */
export interface Captured {
  readonly bytes: Buffer;
  readonly totalBytes: number;
}

/**
 * Keeps the beginning of a stream and reads the rest away, so that a program which prints without end is neither blocked
 * nor fills the memory.
 */
export function captureStart(stream: Readable, maxBytes: number): () => Captured {
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let totalBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    totalBytes += chunk.length;
    const part = chunk.subarray(0, maxBytes - keptBytes);
    if (part.length === 0) return giveBack(chunk);
    keptBytes += part.length;
    chunks.push(part);
  });
  return () => ({ bytes: Buffer.concat(chunks), totalBytes });
}

/** Keeps the end of a stream: that is where a program says what went wrong. */
export function captureEnd(stream: Readable, maxBytes: number): () => Captured {
  let bytes: Buffer = Buffer.alloc(0);
  let totalBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    totalBytes += chunk.length;
    // Copies, because a part of a chunk would keep all of it in memory.
    bytes =
      chunk.length >= maxBytes
        ? Buffer.from(chunk.subarray(-maxBytes))
        : Buffer.concat([bytes, chunk]).subarray(-maxBytes);
    giveBack(chunk);
  });
  return () => ({ bytes, totalBytes });
}

/** Frees what was read away at once: the collector would let some 60 MiB of it come together first. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

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
