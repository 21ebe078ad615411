import type { Config } from '../config.ts';
import type { Problem } from './problem.ts';

/** The result of a validation, as JSON prints it. */
export function validationDocument(checked: {
  readonly config?: Config;
  readonly problems: readonly Problem[];
}) {
  return { valid: checked.config !== undefined, problems: checked.problems.map(problemJson) };
}

function problemJson(problem: Problem) {
  const { severity, code, path, line, column, message, suggestion = null, file = null } = problem;
  return { severity, code, path, line, column, message, suggestion, file };
}
