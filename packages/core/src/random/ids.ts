import type { Clock } from '../clock/clock.ts';

let processPart: string | undefined;
let counter = 0;

/**
 * An id that is unique over processes and under concurrency: `<prefix>_<ms>_<random of this process><counter>`. The
 * random part is drawn at the first call, because edge runtimes refuse it during import.
 */
export function newId(prefix: string, clock: Clock): string {
  if (processPart === undefined) {
    const words = crypto.getRandomValues(new Uint32Array(2));
    processPart = Array.from(words, (word) => word.toString(36).padStart(7, '0')).join('');
  }
  counter++;
  return `${prefix}_${clock.now()}_${processPart}${counter.toString(36)}`;
}
