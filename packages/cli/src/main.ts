import { CommanderError } from 'commander';
import type { Ending } from './command/add-command.ts';
import { resolveWords, unknownText } from './command/resolve-words.ts';
import { COMMAND_TREE } from './command-tree.ts';
import { createProgram } from './program.ts';
import { EXIT, type ExitCode } from './terminal/exit-codes.ts';
import { type Io, processIo } from './terminal/io.ts';
import { reportError } from './terminal/report-error.ts';
import { withoutColours } from './terminal/screen.ts';
import { exitOnInterrupt } from './terminal/signals.ts';

/**
 * Runs one command line and answers with the exit code. Results go to stdout, messages to stderr, so that output can
 * be piped. It never throws.
 */
export async function main(
  args: readonly string[],
  given: Io = processIo(),
  ending: Ending = { code: EXIT.ok },
): Promise<ExitCode> {
  const io = isBefore(args, '--no-color') ? colourless(given) : given;
  try {
    const { args: words, unknown } = resolveWords(COMMAND_TREE, args);
    if (unknown !== undefined) {
      io.stderr(unknownText(unknown));
      return EXIT.usage;
    }
    await createProgram(io, ending).parseAsync(words, { from: 'user' });
    return ending.code;
  } catch (error) {
    // Commander has already said what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(
      io,
      error,
      args.some((arg) => arg === '--json' || arg === '--jsonl'),
    );
  }
}

function colourless(io: Io): Io {
  const { screen, errorScreen } = io;
  return { ...io, screen: withoutColours(screen), errorScreen: withoutColours(errorScreen) };
}

/** Whether a flag is given; after `--` there are only arguments. */
function isBefore(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(flag);
}

/** The entry point of the launcher: `main` in a process of its own, which it ends. */
export async function mainOfProcess(args: readonly string[]): Promise<void> {
  const ending: Ending = { code: EXIT.ok };
  process.on('SIGINT', exitOnInterrupt);
  // A closed pipe (`redrive … | head`) is not a failure: the rest is not written. A verdict is still waited for.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(EXIT.failed);
    if (!ending.isVerdict) process.exit(EXIT.ok);
  });
  // There is nowhere to report it.
  process.stderr.on('error', () => undefined);
  process.exitCode = await main(args, processIo(), ending);
}
