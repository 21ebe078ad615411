import { MAX_PROBLEMS } from '../document/parse-yaml.ts';
import { PROBLEM_CODES, type ProblemCode } from './codes.ts';

/** A finding about a configuration: where it is, what is wrong, and what to write instead. */
export interface Problem {
  /** An `error` keeps the configuration from being used; a `warning` does not. */
  readonly severity: 'error' | 'warning';
  /** A fixed text; `docs/reference/configuration.md` explains each. */
  readonly code: ProblemCode;
  /** The keys that lead there, e.g. `policies.browser_state_timeout.max_attempts`; `""` is the whole file. */
  readonly path: string;
  /** From 1. It is 1 where there is no better place. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
  /** The text to write instead, if it is known. */
  readonly suggestion?: string;
  /** The file, as it was named; or the variable or flag that the value came from. */
  readonly file?: string;
}

/** Whether a configuration with these problems may be used: warnings do not count. */
export function isValid(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== 'error');
}

/** Where something stands. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Absent: the configuration file, which `arrange` names. */
  readonly file?: string;
}

/** The file as a whole. */
export const WHOLE_FILE: Place = { path: '', line: 1, column: 1 };

/** Makes a problem; its code says how bad it is, and what to do where nothing more exact can be said. */
export function finding(
  code: ProblemCode,
  place: Place,
  message: string,
  suggestion: string = PROBLEM_CODES[code].remedy,
): Problem {
  return {
    severity: PROBLEM_CODES[code].kind === 'error' ? 'error' : 'warning',
    code,
    ...place,
    message,
    suggestion,
  };
}

/** In the order of the file, at most `MAX_PROBLEMS` of them, errors before warnings when some must go. */
export function arrange(problems: readonly Problem[], file: string | undefined): Problem[] {
  const bySeverity = problems.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  );
  const kept = bySeverity.slice(0, MAX_PROBLEMS);
  if (problems.length > MAX_PROBLEMS) {
    const message = `There are more problems than the ${MAX_PROBLEMS} that are listed`;
    kept.push(finding('too_many_problems', WHOLE_FILE, message));
  }
  return kept
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map((problem) => (file === undefined ? problem : { file, ...problem }));
}

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
