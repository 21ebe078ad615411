import type { Problem } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { type CheckedConfig, checkConfig } from './load-config.ts';
import { asSubject, faultyInputs, problemLines } from './problem-lines.ts';

/** `redrive config validate`: the problems are the result, so they go to stdout. */
export const runValidate: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const checked = await checkConfig(invocation, args[0]);
  const { problems } = checked;
  const valid = checked.config !== undefined;
  if (options.json) {
    printJson(io, { valid, problems: problems.map(problemJson) });
  } else {
    printLines(io, problemLines(io.screen, checked));
    printLines(io, [verdict(checked)]);
  }
  return valid ? EXIT.ok : EXIT.failed;
};

function problemJson(problem: Problem) {
  const { severity, code, path, line, column, message, suggestion = null, file = null } = problem;
  return { severity, code, path, line, column, message, suggestion, file };
}

function verdict({ file, config, problems }: CheckedConfig): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [count(errors, 'error'), count(problems.length - errors, 'warning')].flat();
  const whole = file ?? 'No file found; the presets alone';
  const faulty = faultyInputs(problems, whole);
  const found = counts.length > 0 ? `, ${counts.join(' and ')}` : '';
  if (config !== undefined || faulty.length === 0) return `${whole}: valid${found}`;
  const rest = file === undefined || faulty.includes(file) ? '' : `; ${file} is valid`;
  return `${asSubject(faulty)}: not valid${found}${rest}`;
}

function count(number: number, noun: string): string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}
