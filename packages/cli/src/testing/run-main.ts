import { main } from '../main.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { type Environment, type ScreenStream, screenOf } from '../terminal/screen.ts';

export interface Ran {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Environment;
  readonly directory?: string;
  /** What both streams are. Default: a pipe. */
  readonly stream?: ScreenStream;
}

/** Runs a command line in this process, with streams that are caught. */
export async function runMain(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, directory = '/nonexistent', stream = {} } = options;
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    screen: screenOf(stream, env),
    errorScreen: screenOf(stream, env),
    env,
    directory,
  };
  const exitCode = await main(args, io);
  return { exitCode, stdout, stderr };
}
