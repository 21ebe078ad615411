import { constants, promises as fs } from 'node:fs';

/** The code of a failed file operation, `ENOENT` for instance. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'UNKNOWN';
}

/** A file's text, or why there is none. */
export type TextFile =
  | { readonly text: string; readonly worldWritable: boolean }
  | { readonly refusal: string; readonly suggestion: string };

/** The meanings of common errors; other errors are shown by their code. */
const MEANINGS: Readonly<Record<string, readonly [refusal: string, suggestion: string]>> = {
  ENOENT: ['it does not exist', 'create it, or name another file'],
  EACCES: ['reading it is not permitted', 'let the user of this process read it'],
  EPERM: ['reading it is not permitted', 'let the user of this process read it'],
  ELOOP: ['its symbolic links form a circle', 'let the link point to a file'],
  ENOTDIR: ['a part of its path is not a directory', 'correct the path'],
};
const NO_FILE = ['it is not a regular file', 'name a file'] as const;

/**
 * Reads a text file of limited size. Never reads more than that, also if the file grows meanwhile, and never waits: a pipe
 * without a writer would otherwise hold one of Node's few file threads for ever.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  try {
    const file = await fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return refused(NO_FILE);
      const buffer = Buffer.alloc(maxBytes + 1);
      let size = 0;
      while (size <= maxBytes) {
        const { bytesRead } = await file.read(buffer, size, buffer.length - size);
        if (bytesRead === 0) break;
        size += bytesRead;
      }
      if (size > maxBytes) {
        return refused([`it has more than ${maxBytes} bytes`, 'split it, or make it smaller']);
      }
      const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, size));
      return { text, worldWritable: process.platform !== 'win32' && (stats.mode & 0o002) !== 0 };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return refused(['it is not UTF-8 text', 'save it as UTF-8']);
    }
    return refused(
      MEANINGS[code] ?? [`the operating system reported ${code}`, 'check its file system'],
    );
  }
}

function refused([refusal, suggestion]: readonly [string, string]): TextFile {
  return { refusal, suggestion };
}
