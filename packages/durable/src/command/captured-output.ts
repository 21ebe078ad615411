import type { Readable } from 'node:stream';

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
