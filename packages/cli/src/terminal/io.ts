import { type Environment, type Screen, screenOf } from './screen.ts';

/** All that a command may touch of the process that it runs in; tests give it another one. */
export interface Io {
  /** Results: what the caller asked for, and nothing else, so that it can be piped. */
  readonly stdout: (text: string) => void;
  /** Messages: progress, warnings, errors. */
  readonly stderr: (text: string) => void;
  readonly screen: Screen;
  readonly errorScreen: Screen;
  readonly env: Environment;
  /** Relative file names start here. */
  readonly directory: string;
}

/** The streams and the environment of this process. */
export function processIo(): Io {
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    screen: screenOf(process.stdout, process.env),
    errorScreen: screenOf(process.stderr, process.env),
    env: process.env,
    directory: process.cwd(),
  };
}

/** One line each; trailing blanks are dropped. */
export function printLines({ stdout }: Pick<Io, 'stdout'>, lines: readonly string[]): void {
  for (const line of lines) stdout(`${line.trimEnd()}\n`);
}

/** The answer to `--json`: two blanks of indent, and a line break at the end. */
export function printJson({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout(`${JSON.stringify(value, null, 2)}\n`);
}
