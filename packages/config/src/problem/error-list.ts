import type { Problem } from './problem.ts';

/** More than these make no sentence any more. */
const MAX_LISTED = 5;

/**
 * The errors among problems in one line, for the message of an error that carries them all. `ownFile` is the file that
 * the message is about, which is not named again.
 */
export function errorList(problems: readonly Problem[], ownFile?: string): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const listed = errors
    .slice(0, MAX_LISTED)
    .map((problem) => {
      const place = placeText(problem, ownFile);
      return place === undefined ? problem.message : `${place}: ${problem.message}`;
    })
    .join('; ');
  return errors.length > MAX_LISTED ? `${listed}; and ${errors.length - MAX_LISTED} more` : listed;
}

/** `redrive.yaml line 3`. A variable of the process has no place but its name, which its message says. */
function placeText({ file, path, line }: Problem, ownFile?: string): string | undefined {
  if (file === undefined || file === ownFile) return `line ${line}`;
  return path === file ? undefined : `${file} line ${line}`;
}
