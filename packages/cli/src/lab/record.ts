import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { saltedSessions } from '@redrive/durable/store';
import { headLine, recordedLine } from '@redrive/lab';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { fileError } from '../config/read-file.ts';
import { withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { recordedFromStore, type Window, windowOf } from './recorded-from-store.ts';

const WEEK_MS = 604_800_000;
/** Written at once. */
const BATCH = 256 * 1_024;
export const RECORDING_FILE = 'recording.jsonl';

export const runLabRecord: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const directory = textOption(options, 'to');
  if (directory === undefined) throw new CliError('usage', 'Name the directory: --to <directory>.');
  const window = windowOf(invocation, WEEK_MS);
  const config = await loadConfig(invocation);
  const path = resolve(io.directory, directory);
  refuseUsed(path, directory);
  const { attempts, stopped } = await untilStopped(io, async (signal) => ({
    attempts: await withStore(
      invocation,
      async (store) => {
        const lines = recordedFromStore(invocation, store, { window, config, signal });
        return writeRecording(path, directory, window, lines);
      },
      { config },
    ),
    stopped: signal.aborted,
  }));
  const file = join(directory, RECORDING_FILE);
  const [since, until] = [window.sinceMs, window.untilMs].map((ms) => new Date(ms).toISOString());
  if (options.json) printJson(io, { file, attempts, since, until });
  else printLines(io, [printable(`${attempts.toLocaleString('en')} attempts are in ${file}.`)]);
  if (stopped) note(io, 'Stopped: later attempts are not in it.');
  return stopped ? EXIT.interrupted : EXIT.ok;
};

/** @throws CliError `refused` where something is in the directory. */
function refuseUsed(path: string, name: string): void {
  try {
    if (readdirSync(path).length === 0) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw fileError(error, 'read', name);
  }
  throw new CliError('refused', `${name} is not empty.`, 'Name an empty directory, or a new one.');
}

/** Only its owner can read the file. It has its name once it is complete. */
async function writeRecording(
  path: string,
  name: string,
  { sinceMs, untilMs }: Window,
  attempts: ReturnType<typeof recordedFromStore>,
): Promise<number> {
  const file = join(path, RECORDING_FILE);
  const part = `${file}.part`;
  const hashed = saltedSessions();
  let count = 0;
  let waiting = headLine(sinceMs, untilMs);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const target = openSync(part, 'wx', 0o600);
    try {
      for await (const { line } of attempts) {
        waiting += recordedLine({ ...line, session: hashed(line.session) });
        count += 1;
        if (waiting.length < BATCH) continue;
        writeSync(target, waiting);
        waiting = '';
      }
      writeSync(target, waiting);
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : fileError(error, 'write', name);
  }
  return count;
}
