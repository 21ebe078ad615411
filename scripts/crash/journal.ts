import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * A file of lines that is only ever added to, by several processes at once (`O_APPEND`, one write per line). It is not
 * synced: the kernel keeps what a killed process has written, and where the power goes, this harness goes too.
 */
export class Journal<T extends object> {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  write(line: T): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** All lines of a journal, or none where nobody has written one yet. */
export function readJournal<T extends object>(path: string): readonly T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // What is written there is written by `Journal.write` alone.
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}
