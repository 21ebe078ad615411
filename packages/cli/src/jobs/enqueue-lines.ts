import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Store } from '@redrive/durable';
import { counted, type EnqueueCommand } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { fileError } from '../config/read-file.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { type Io, note, printJsonLine, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { enqueuedJson, type JobMaker, wouldBeJson } from './job-maker.ts';

/** Jobs that are committed together. Enough to make a commit cheap, and few enough to keep in memory. */
const BATCH = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
/** More than any payload may have: what is longer is refused without being kept. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

interface Job {
  readonly line: number;
  readonly command: EnqueueCommand;
}

/**
 * Enqueues a payload per line, in batches, as they come. A line that is not a payload is reported with its number and
 * left out; all others are enqueued, and the exit code says that it was not all.
 */
export async function enqueueLines(
  { io, options }: Invocation,
  store: Store,
  make: JobMaker,
  file: string,
): Promise<ExitCode> {
  const run = new EnqueueRun(io, store, {
    asJson: options.json === true,
    dry: options.dryRun === true,
  });
  try {
    for await (const line of readLines(open(io, file), MAX_LINE_BYTES)) {
      await run.take(line, make);
    }
    await run.flush();
  } catch (error) {
    throw run.interrupted(fileError(error, 'read', file, 'Check the path; - is stdin.'));
  }
  return run.finish();
}

function open(io: Io, file: string): AsyncIterable<Uint8Array> {
  return file === '-' ? io.stdin() : createReadStream(resolve(io.directory, file));
}

/** One run over a file: what waits for its batch, and what has come of the rest. */
class EnqueueRun {
  readonly #io: Io;
  readonly #store: Store;
  readonly #options: { readonly asJson: boolean; readonly dry: boolean };
  #batch: Job[] = [];
  #batchBytes = 0;
  #enqueued = 0;
  #bad = 0;
  #lastLine = 0;

  constructor(io: Io, store: Store, options: { readonly asJson: boolean; readonly dry: boolean }) {
    this.#io = io;
    this.#store = store;
    this.#options = options;
  }

  async take(line: Line, make: JobMaker): Promise<void> {
    const command =
      'problem' in line ? this.#report(line.number, line.problem) : this.#make(line, make);
    if (command === undefined) return;
    this.#batch.push({ line: line.number, command });
    this.#batchBytes += 'text' in line ? line.text.length : 0;
    if (this.#batch.length >= BATCH || this.#batchBytes >= BATCH_BYTES) await this.flush();
  }

  #make({ number, text }: { readonly number: number; readonly text: string }, make: JobMaker) {
    try {
      return make(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // The parser counts lines, too, and sees but this one.
      return this.#report(number, message.replace(/ \(line 1 column \d+\)$/, ''));
    }
  }

  #report(line: number, problem: string): undefined {
    this.#bad += 1;
    this.#io.stderr(`line ${line} is left out: ${printable(problem)}\n`);
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    const results = this.#options.dry
      ? []
      : await this.#store.apply(batch.map(({ command }) => command));
    this.#batch = [];
    this.#batchBytes = 0;
    for (const [index, { line, command }] of batch.entries()) {
      const result = results[index];
      if (result?.ok === false) {
        this.#report(line, `${result.refusal}: ${result.id}`);
        continue;
      }
      this.#enqueued += 1;
      if (this.#options.asJson) {
        const json =
          result === undefined
            ? wouldBeJson(command)
            : await enqueuedJson(this.#store, command, result);
        printJsonLine(this.#io, { ...json, line });
      } else if (result !== undefined) {
        printLines(this.#io, [result.id]);
      }
    }
    this.#lastLine = batch.at(-1)?.line ?? this.#lastLine;
  }

  /** Something broke in the middle: says what is in, what may be in, and where to go on. */
  interrupted(error: unknown): unknown {
    if (this.#enqueued === 0 && this.#batch.length === 0) return error;
    const message = error instanceof Error ? error.message : String(error);
    const last = this.#batch.at(-1)?.line;
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
