import type { ProblemCode } from './codes.ts';

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
  /** What to write instead, where that can be said. */
  readonly suggestion?: string;
  /** The file, as it was named; or the variable or flag that the value came from. */
  readonly file?: string;
}

/** Whether a configuration with these problems may be used: warnings do not count. */
export function isValid(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== 'error');
}
