import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '@redrive/config';
import { type Attempts, RecordingReader } from '@redrive/lab';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { RECORDING_FILE } from './record.ts';
import { type FromStoreOptions, recordedFromStore, windowOf } from './recorded-from-store.ts';

/** Between two pieces of a recording Ctrl-C ends the reading. */
const PIECE_BYTES = 16_384;

export interface LoadedRecording {
  readonly attempts: Attempts;
  /** Ctrl-C came before its end. */
  readonly stopped: boolean;
  /** Attempts above the limit were left out. */
  readonly cut: boolean;
  /** Where it is from, in words. */
  readonly source: string;
}

/**
 * The attempts of `--recording`, or those of the store since `--since`. Malformed lines are reported on stderr. `starts`:
 * a store is also asked when successful attempts of jobs began.
 *
 * @throws CliError `failed`: the recording cannot be used.
 */
export async function loadRecording(
  invocation: Invocation,
  config: Config,
  defaultMs: number,
  { starts = false }: { readonly starts?: boolean } = {},
): Promise<LoadedRecording> {
  const reader = new RecordingReader();
  const directory = textOption(invocation.options, 'recording');
  const stopped = await untilStopped(invocation.io, async (signal) => {
    if (directory === undefined)
      await readStore(invocation, reader, { config, defaultMs, starts, signal });
    else await readDirectory(invocation, directory, reader, signal);
    return signal.aborted;
  });
  if (directory !== undefined) report(invocation, directory, reader, stopped);
  else reader.end();
  const { attempts, malformed } = reader;
  if (directory === undefined && malformed > 0)
    invocation.io.stderr(`${malformed} attempts came too late in the log and were left out.\n`);
  if (attempts.omitted > 0) {
    const text = `${attempts.size.toLocaleString('en')} attempts are used; ${attempts.omitted.toLocaleString('en')} later ones are left out.`;
    invocation.io.stderr(`${text}\n`);
  }
  const source = directory ?? 'the audit log';
  return { attempts, stopped, cut: attempts.omitted > 0, source };
}

async function readStore(
  invocation: Invocation,
  reader: RecordingReader,
  { defaultMs, ...options }: Omit<FromStoreOptions, 'window'> & { readonly defaultMs: number },
): Promise<void> {
  const window = windowOf(invocation, defaultMs);
  await withStore(
    invocation,
    async (store) => {
      const all = recordedFromStore(invocation, store, { window, ...options });
      for await (const { line } of all) reader.add(line);
    },
    { config: options.config },
  );
}

async function readDirectory(
  { io }: Invocation,
  directory: string,
  reader: RecordingReader,
  signal: AbortSignal,
): Promise<void> {
  const file = join(directory, RECORDING_FILE);
  const options = { encoding: 'utf8', highWaterMark: PIECE_BYTES } as const;
  const input = createReadStream(resolve(io.directory, file), options);
  const shown = progress(io, 'lines');
  try {
    for await (const text of input) {
      if (signal.aborted) break;
      reader.takeText(String(text));
      shown.update(reader.lines);
    }
  } catch (error) {
    throw fileError(error, 'read', file);
  } finally {
    input.destroy();
    shown.end();
  }
}

function report(
  { io }: Invocation,
  directory: string,
  reader: RecordingReader,
  stopped: boolean,
): void {
  const problem = reader.end();
  for (const { line, reason } of reader.named) {
    io.stderr(`${printable(`${directory}/${RECORDING_FILE}:${line} ${reason}`)}\n`);
  }
  if (problem !== undefined && !stopped) {
    const hint = 'Make a new one with "redrive lab record".';
    throw new CliError('failed', `The recording ${directory} cannot be used: ${problem}.`, hint);
  }
  if (reader.malformed > 0) {
    io.stderr(`${reader.malformed} malformed lines of ${reader.lines - 1} were left out.\n`);
  }
}
