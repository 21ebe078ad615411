import { CommanderError } from 'commander';
import { createProgram, type Output } from './program.ts';

const ok = 0;
const failed = 1;
const wrongUsage = 2;

/**
 * Runs one command line and answers with the exit code: 0 done, 1 failed, 2 wrong usage.
 * Results go to stdout, messages to stderr, so that output can be piped.
 */
export async function main(args: readonly string[], output: Output = standard): Promise<number> {
  try {
    await createProgram(output).parseAsync(args, { from: 'user' });
    return ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ok : wrongUsage;
    output.stderr(`redrive: ${error instanceof Error ? error.message : String(error)}\n`);
    return failed;
  }
}

const standard: Output = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
};
