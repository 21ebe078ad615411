import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { deadLetterOf } from '@redrive/durable';
import type { Job } from '@redrive/durable/store';
import { safeJson } from '../terminal/safe-json.ts';

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

async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new file is on the disk only when its directory is. */
async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
