import { Attempts } from './attempts.ts';
import { MAX_LINE, parseHead, parseLine, type Recorded } from './recorded.ts';

/** Lines within which a wrong order is put right. */
export const SORTED_WITHIN = 10_000;
/** Malformed lines that are named. */
const MAX_NAMED = 10;
/** The share of malformed lines above which a recording is not used. */
const MAX_MALFORMED = 0.01;

export interface MalformedLine {
  /** From 1, the head included. */
  readonly line: number;
  readonly reason: string;
}

/**
 * Takes a recording line by line. Lines that are out of order are sorted within 10,000; a line that is further off is
 * malformed, as a line that is no attempt is. Memory is bounded for any recording: see `MAX_ATTEMPTS`.
 */
export class RecordingReader {
  readonly attempts: Attempts;
  readonly named: MalformedLine[] = [];
  malformed = 0;
  lines = 0;
  #waiting: { readonly one: Recorded; readonly line: number }[] = [];
  #newestMs = Number.NEGATIVE_INFINITY;
  #unreadable: string | undefined;
  /** The text after the last end of a line. */
  #partial = '';

  constructor(attempts = new Attempts()) {
    this.attempts = attempts;
  }

  /** Takes the next piece of the text. Of a line without an end no more is kept than shows that it is too long. */
  takeText(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const whole = this.#partial + line;
      this.#partial = '';
      this.take(whole.endsWith('\r') ? whole.slice(0, -1) : whole);
    }
    this.#partial = (this.#partial + last).slice(0, MAX_LINE + 1);
  }

  take(line: string): void {
    this.lines += 1;
    if (this.lines === 1) {
      const head = parseHead(line);
      if (typeof head === 'string') this.#unreadable = head;
      return;
    }
    // The API ends a recording with an empty line, which may have spaces.
    if (line.trim() === '' || this.#unreadable !== undefined) return;
    const one = parseLine(line);
    if (typeof one === 'string') this.#refuse(this.lines, one);
    else this.add(one);
  }

  /** Takes an attempt that was read elsewhere. */
  add(one: Recorded): void {
    this.#waiting.push({ one, line: this.lines });
    if (this.#waiting.length >= 2 * SORTED_WITHIN) this.#release(SORTED_WITHIN);
  }

  /** The problem of the recording as a whole, once all lines were taken. */
  end(): string | undefined {
    if (this.#partial !== '') this.take(this.#partial);
    this.#partial = '';
    this.#release(this.#waiting.length);
    if (this.#unreadable !== undefined) return this.#unreadable;
    if (this.lines === 0) return 'it is empty';
    const share = this.malformed / Math.max(1, this.lines - 1);
    return share > MAX_MALFORMED
      ? `${this.malformed} of ${this.lines - 1} lines are malformed, which is more than 1 %`
      : undefined;
  }

  #release(count: number): void {
    this.#waiting.sort((a, b) => a.one.endMs - b.one.endMs);
    for (const { one, line } of this.#waiting.splice(0, count)) {
      if (one.endMs < this.#newestMs) {
        this.#refuse(line, `it is more than ${SORTED_WITHIN} lines out of order`);
      } else {
        this.#newestMs = one.endMs;
        this.attempts.add(one);
      }
    }
  }

  #refuse(line: number, reason: string): void {
    this.malformed += 1;
    if (this.named.length < MAX_NAMED) this.named.push({ line, reason });
  }
}
