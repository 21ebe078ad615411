import { CliError } from './cli-error.ts';
import { EXIT, type ExitCode, type ExitName } from './exit-codes.ts';
import type { Io } from './io.ts';
import { printable } from './printable.ts';

/** Says on stderr what went wrong and what to do, in words or as one JSON object, and answers with the exit code. */
export function reportError(io: Io, error: unknown, asJson: boolean): ExitCode {
  const { exit, message, hint } = describe(error);
  if (asJson) {
    const shown = { code: exit, message, hint: hint ?? null };
    io.stderr(`${JSON.stringify({ error: shown })}\n`);
  } else {
    const { paint } = io.errorScreen;
    const lines = printable(message).replaceAll('\\x0a', '\n');
    io.stderr(`${paint('red', 'redrive:')} ${lines}\n`);
    if (hint !== undefined) io.stderr(`${printable(hint)}\n`);
  }
  return EXIT[exit];
}

function describe(error: unknown): { exit: ExitName; message: string; hint?: string | undefined } {
  if (error instanceof CliError) return error;
  return { exit: 'failed', message: error instanceof Error ? error.message : String(error) };
}
