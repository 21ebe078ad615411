import type * as z from 'zod';
import { type InputProblem, Refusal } from './refusal.ts';

interface Checked {
  readonly input: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: it takes what its own schema makes.
  readonly check?: (input: any) => readonly InputProblem[];
}

/** Checks an input. @throws Refusal `invalid_input` with every problem. */
export function parseInput({ input, check }: Checked, given: unknown): unknown {
  const parsed = input.safeParse(given);
  if (!parsed.success) throw invalidInput(inputProblems(parsed.error, given));
  const problems: readonly InputProblem[] = check?.(parsed.data) ?? [];
  if (problems.length > 0) throw invalidInput(problems);
  return parsed.data;
}

export function invalidInput(problems: readonly InputProblem[]): Refusal {
  const [first] = problems;
  return new Refusal('invalid_input', 'The input is not valid.', first?.hint, problems);
}

/** The problems of an input in sentences: zod's own do not name the value, the range or the choices. */
export function inputProblems(error: z.ZodError, given: unknown): InputProblem[] {
  return error.issues.map((issue) => {
    const field = issue.path.join('.');
    const value = issue.path.reduce<unknown>((at, key) => Object(at)[key], given);
    if (issue.code === 'custom') {
      const hint: unknown = issue.params?.hint;
      return { field, message: issue.message, ...(typeof hint === 'string' && { hint }) };
    }
    return { field, message: sentence(issue, value) };
  });
}

function sentence(issue: z.core.$ZodIssue, value: unknown): string {
  const choices = issue.code === 'invalid_value' ? listText(issue.values.map(String)) : '';
  if (value === undefined && issue.code !== 'unrecognized_keys') {
    return choices === '' ? 'is missing' : `is missing: ${choices}.`;
  }
  if (choices !== '') return `must be ${choices}, not ${String(value)}`;
  return issue.message;
}

/** `a, b or c` */
function listText(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
