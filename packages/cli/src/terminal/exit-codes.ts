/**
 * How every command ends. Scripts rely on these numbers: a new meaning gets a new number, and none is given away
 * twice. `docs/reference/command-line.md` lists them.
 */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  no_match: 3,
  refused: 4,
  partial: 5,
  not_permitted: 6,
  conflict: 7,
  unreachable: 8,
  differs: 9,
  timed_out: 124,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;
export type ExitCode = (typeof EXIT)[ExitName];

/** The meaning of each exit code. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: 'done',
  failed: 'the command failed, or a file is not valid',
  usage: 'the command line is wrong: an unknown command, option or argument',
  no_match: 'not found: no such job, policy, breaker, …, or nothing matches',
  refused:
    'refused: a file would be overwritten, a confirmation is missing, or a kill switch is engaged',
  partial: 'partly done: some items failed or were left out',
  not_permitted: 'no permission for the file or the service',
  conflict: 'the current state does not allow it, or it was changed by somebody else',
  unreachable: 'the store or service does not answer',
  differs: 'two things were compared, and they differ',
  timed_out: 'the timeout passed',
  interrupted: 'stopped by Ctrl-C',
};

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
