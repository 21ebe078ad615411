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

/** What each number tells the caller. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: 'done',
  failed: 'it was tried and did not work, or a file is not valid',
  usage: 'the command line is wrong: an unknown command, option or argument',
  no_match: 'not found: no such job, policy, breaker, …, or nothing matches',
  refused: 'a guard said no: something would be overwritten, or a switch is thrown',
  partial: 'some of it was done and some was not',
  not_permitted: 'the file or the service does not let you',
  conflict: 'somebody else changed it in the meantime',
  unreachable: 'the service does not answer',
  differs: 'two things were compared, and they differ',
  timed_out: 'it took longer than it was allowed to',
  interrupted: 'stopped by Ctrl-C',
};
