import type { Problem } from './problem.ts';

/** More than these make no sentence any more. */
const MAX_LISTED = 5;

/** The errors among problems in one line, for the message of an error that carries them all. */
export function errorList(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const listed = errors
    .slice(0, MAX_LISTED)
    .map(({ line, message }) => `line ${line}: ${message}`)
    .join('; ');
  return errors.length > MAX_LISTED ? `${listed}; and ${errors.length - MAX_LISTED} more` : listed;
}
