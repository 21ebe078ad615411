import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import { safeJson } from '../terminal/printable.ts';

/**
 * Writes dead letters whose time is over into files of JSON lines, one per day of death, which only their owner can
 * read: in full, because nothing else is left of them. It resolves when they are on the disk; only then they are deleted.
 * After a crash in between a letter may be there twice, with the same id and generation.
 */
export function fileArchive(directory: string): (letters: readonly Job[]) => Promise<void> {
  return async (letters) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const days = Map.groupBy(letters, dayOf);
    for (const [day, own] of days) {
      const lines = own.map((job) => {
        const letter = deadLetterOf(job, { payload: 'full' });
        return `${safeJson(JSON.stringify(letter))}\n`;
      });
      await append(join(directory, `dead-letters-${day}.jsonl`), lines.join(''));
    }
    await sync(directory);
  };
}

function dayOf({ finishedAtMs, submittedAtMs }: Job): string {
  return new Date(finishedAtMs ?? submittedAtMs).toISOString().slice(0, 10);
}

/**
 * Appends lines with one write: other workers do the same to the same file, and pieces of two would end up in each other.
 * A line that a crash or a full disk has cut is ended first, or the next one would be lost in it.
 */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const bytes = Buffer.from((await isTorn(file)) ? `\n${text}` : text);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) {
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes could be written to ${path}`);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whether its last line was not written to its end. */
async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== LINE_END;
}

const LINE_END = 10;

/** A new file is on the disk only when its directory is. */
async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
