import { readdirSync, readlinkSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';

/**
 * Whether two SQLite libraries of this process have a file open in WAL mode. Each library opens the shared memory of a
 * file once, for all its connections. Only Linux shows this to a program.
 */
export function hasTwoLibraries(path: string): boolean {
  return opened(`${path}-shm`) > 1;
}

function opened(file: string): number {
  return descriptors().filter((at) => {
    const target = targetOf(at);
    return target === file || target === `${file} (deleted)`;
  }).length;
}

function descriptors(): string[] {
  try {
    return readdirSync(DESCRIPTORS);
  } catch {
    return [];
  }
}

/** Other threads close files meanwhile. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`);
  } catch {
    return undefined;
  }
}
