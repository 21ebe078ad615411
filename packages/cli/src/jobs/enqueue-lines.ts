import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { fileError } from '../config/read-file.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { type Io, note, printJsonLine, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { describeError } from '../terminal/report-error.ts';
import { documentOf, type Enqueuer } from './enqueuer.ts';

/** Jobs that are committed together. Enough to make a commit cheap, and few enough to keep in memory. */
const BATCH = 500;
/** A server takes requests of 1 MiB. A text may double in JSON. */
const BATCH_BYTES = 384 * 1024;
/** More than any payload may have: what is longer is refused without being kept. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Enqueues a payload per line, in batches, as they come. A line that is not a payload is reported with its number and
 * left out; all others are enqueued, and the exit code says that it was not all.
 */
export async function enqueueLines(
  invocation: Invocation,
  jobs: Enqueuer,
  file: string,
): Promise<ExitCode> {
  const { io } = invocation;
  const run = new EnqueueRun(invocation, jobs);
  try {
    for await (const line of readLines(open(io, file), MAX_LINE_BYTES)) await run.take(line);
    await run.flush();
  } catch (error) {
    throw run.interrupted(fileError(error, 'read', file, 'Check the path; - is stdin.'));
  }
  return run.finish();
}

function open(io: Io, file: string): AsyncIterable<Uint8Array> {
  return file === '-' ? io.stdin() : createReadStream(resolve(io.directory, file));
}

/** One run over a file: the lines that wait for their batch, and the results of the others. */
class EnqueueRun {
  readonly #io: Io;
  readonly #jobs: Enqueuer;
  readonly #options: { readonly asJson: boolean; readonly dry: boolean };
  #batch: Line[] = [];
  #batchBytes = 0;
  #enqueued = 0;
  #bad = 0;
  #lastLine = 0;

  constructor({ io, options }: Invocation, jobs: Enqueuer) {
    this.#io = io;
    this.#jobs = jobs;
    this.#options = { asJson: options.json === true, dry: options.dryRun === true };
  }

  async take(line: Line): Promise<void> {
    const bytes = 'text' in line ? line.text.length : 0;
    if (this.#batchBytes + bytes > BATCH_BYTES) await this.flush();
    this.#batch.push(line);
    this.#batchBytes += bytes;
    if (this.#batch.length >= BATCH) await this.flush();
  }

  #report(line: number, problem: string): void {
    this.#bad += 1;
    this.#io.stderr(`line ${line} is left out: ${printable(problem)}\n`);
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    const payloads = batch.flatMap((line) => ('text' in line ? [line.text] : []));
    const results = (payloads.length > 0 ? await this.#jobs.send(payloads, true) : []).values();
    this.#batch = [];
    this.#batchBytes = 0;
    for (const { number, ...line } of batch) {
      if ('problem' in line) {
        this.#report(number, line.problem);
        continue;
      }
      const job = results.next().value;
      if (job === undefined || job.problem !== null) {
        this.#report(number, job?.problem ?? 'there is no answer about it');
        continue;
      }
      this.#enqueued += 1;
      if (this.#options.asJson) {
        printJsonLine(this.#io, { ...documentOf(job, this.#options.dry), line: number });
      } else if (job.id !== null) printLines(this.#io, [job.id]);
    }
    this.#lastLine = batch.at(-1)?.number ?? this.#lastLine;
  }

  /** Something broke in the middle: says what is in, what may be in, and where to continue. */
  interrupted(error: unknown): unknown {
    const isSure = this.#batch.length === 0 || describeError(error).exit !== 'unreachable';
    if (this.#enqueued === 0 && isSure) return error;
    const message = error instanceof Error ? error.message : String(error);
    const last = this.#batch.at(-1)?.number;
    const unknown =
      last === undefined ? '' : ` Lines ${this.#lastLine + 1} to ${last} may be in or not.`;
    return new CliError(
      this.#enqueued === 0 ? 'unreachable' : 'partial',
      `${message}\nThe lines up to ${this.#lastLine} are enqueued (${this.#enqueued} jobs).${unknown}`,
      `Continue with: tail -n +${this.#lastLine + 1} <file> | redrive jobs enqueue <handler> --from -`,
      { cause: error },
    );
  }

  finish(): ExitCode {
    const left = this.#bad === 0 ? '' : `, ${counted(this.#bad, 'line')} left out`;
    const would = this.#options.dry ? 'would be ' : '';
    note(this.#io, `${counted(this.#enqueued, 'job')} ${would}enqueued${left}.`);
    if (this.#bad === 0) return EXIT.ok;
    return this.#enqueued === 0 ? EXIT.failed : EXIT.partial;
  }
}

/** A line of a file, or why it cannot be read. Empty lines are left out. */
export type Line = { readonly number: number } & (
  | { readonly text: string }
  | { readonly problem: string }
);

const LINE_FEED = 0x0a;

/** Lines of UTF-8, one at a time, whatever the pieces that they come in; a line that is too long is passed over. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;

  function* end(): Generator<Line> {
    number += 1;
    const [line, length] = [kept, bytes];
    kept = [];
    bytes = 0;
    if (length > maxBytes) {
      yield { number, problem: `it has more than ${maxBytes.toLocaleString('en')} bytes` };
      return;
    }
    try {
      const text = decoder.decode(Buffer.concat(line)).trim();
      if (text !== '') yield { number, text };
    } catch {
      yield { number, problem: 'it is not UTF-8' };
    }
  }

  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      keep(piece.subarray(from, at));
      yield* end();
      from = at + 1;
    }
    keep(piece.subarray(from));
  }
  if (bytes > 0) yield* end();

  function keep(part: Uint8Array): void {
    bytes += part.length;
    // Of what is too long anyway nothing more is needed than its length.
    if (bytes <= maxBytes) kept.push(part);
    else kept = [];
  }
}
