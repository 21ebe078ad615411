import { type BigIntStats, promises as fs } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../document/read-text-file.ts';

/**
 * A text that changes when the file changes, made without reading it. Links are followed, so a swapped link changes it,
 * and so does a change of permissions. The print of a file that cannot be examined is its error's code.
 */
export async function printOf(path: string): Promise<string> {
  const stats = await statsOf(path);
  if (typeof stats === 'string') return stats;
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}

/**
 * The directories in which something may happen to the file, each with a print that differs from that of another
 * directory of that name: the one where it is expected and, where links lead elsewhere, the one where it really is.
 * Missing ones are left out.
 */
export async function directoriesOf(path: string): Promise<ReadonlyMap<string, string>> {
  const real = await fs.realpath(path).catch(() => path);
  const found = new Map<string, string>();
  for (const directory of new Set([dirname(path), dirname(real)])) {
    const stats = await statsOf(directory);
    if (typeof stats !== 'string') found.set(directory, `${stats.dev}:${stats.ino}`);
  }
  return found;
}

function statsOf(path: string): Promise<BigIntStats | string> {
  return fs.stat(path, { bigint: true }).catch(errorCodeOf);
}
