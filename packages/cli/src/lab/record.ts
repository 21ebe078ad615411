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
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { inWords, itemsOf, placeOf } from '../action/run-action.ts';
import type { RunSugar } from '../action/sugar.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { untilStopped } from '../terminal/until-stopped.ts';

/** Written at once. */
const BATCH = 256 * 1_024;
export const RECORDING_FILE = 'recording.jsonl';

type Line = AnswerOf<typeof ACTIONS.lab.recording>;

export const runLabRecord: RunSugar = async (sugar, invocation) => {
  const { io, options } = invocation;
  const directory = textOption(options, 'to');
  if (directory === undefined) throw new CliError('usage', 'Name the directory: --to <directory>.');
  const path = resolve(io.directory, directory);
  refuseUsed(path, directory);
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation));
  const shown = progress(io, 'attempts');
  let head: Line = {};
  let attempts = 0;
  const isStopped = await untilStopped(io, async (signal) => {
    async function* lines(): AsyncGenerator<Line> {
      try {
        for await (const line of itemsOf<Line>(sugar, place, { signal })) {
          if (line.recording === undefined) shown.update(++attempts);
          else head = line;
          yield line;
        }
      } catch (error) {
        // Ctrl-C: what was read so far is the result.
        if (!signal.aborted || head.recording === undefined) throw error;
      }
    }
    try {
      await writeRecording(path, directory, lines());
    } finally {
      shown.end();
      await place.close();
    }
    return signal.aborted;
  });
  const file = join(directory, RECORDING_FILE);
  const { since, until } = head;
  if (options.json) printJson(io, { file, attempts, since, until });
  else printLines(io, [printable(`${attempts.toLocaleString('en')} attempts are in ${file}.`)]);
  if (isStopped) note(io, 'Stopped: later attempts are not in it.');
  return isStopped ? EXIT.interrupted : EXIT.ok;
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

/** Only its owner can read the file. It has its name once it is complete. Nothing is made before the first line. */
async function writeRecording(
  path: string,
  name: string,
  lines: AsyncGenerator<Line>,
): Promise<void> {
  const file = join(path, RECORDING_FILE);
  const part = `${file}.part`;
  const first = await lines.next();
  let waiting = first.done ? '' : `${JSON.stringify(first.value)}\n`;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const target = openSync(part, 'wx', 0o600);
    try {
      for await (const line of lines) {
        waiting += `${JSON.stringify(line)}\n`;
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
}
