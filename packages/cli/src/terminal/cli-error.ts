import type { ExitName } from './exit-codes.ts';

/**
 * How a command fails on purpose: `main` prints it and ends with the exit code of that name. The message says what
 * happened and to what, the hint what to do about it.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: ExitName;
  readonly hint: string | undefined;

  constructor(exit: ExitName, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
    this.hint = hint;
  }
}
