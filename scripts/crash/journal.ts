import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';

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

/** Reads a journal bit by bit while others write it. */
export class JournalTail<T extends object> {
  readonly #path: string;
  #read = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines since the last look. */
  next(): readonly T[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#read);
      this.#read += readSync(file, bytes, 0, bytes.length, this.#read);
      const lines = (this.#rest + bytes.toString('utf8')).split('\n');
      this.#rest = lines.pop() ?? '';
      // What is written there is written by `Journal.write` alone.
      return lines.map((line) => JSON.parse(line) as T);
    } finally {
      closeSync(file);
    }
  }
}

/** All lines of a journal, or none where nobody has written one yet. */
export function readJournal<T extends object>(path: string): readonly T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // What is written there is written by `Journal.write` alone.
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}
