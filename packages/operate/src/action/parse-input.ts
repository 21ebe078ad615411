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
  return error.issues.flatMap((issue): InputProblem[] => {
    const field = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: [...issue.path, key].join('.'),
        message: 'is not a known field',
      }));
    }
    if (issue.code === 'custom') {
      const hint: unknown = issue.params?.hint;
      return [{ field, message: issue.message, ...(typeof hint === 'string' && { hint }) }];
    }
    const value = issue.path.reduce<unknown>((at, key) => Object(at)[key], given);
    return [{ field, message: sentence(issue, value) }];
  });
}

function sentence(issue: z.core.$ZodIssue, value: unknown): string {
  const isEmpty =
    issue.code === 'too_small' && issue.origin in UNITS && Number(issue.minimum) === 1;
  if (isEmpty) return 'must not be empty';
  const wanted = wantedText(issue);
  if (value !== undefined) return `must be ${wanted}, not ${shownValue(value)}`;
  return issue.code === 'invalid_value' ? `is missing: ${wanted}.` : 'is missing';
}

function wantedText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return listText(issue.values.map(String));
    case 'invalid_type':
      return NOUNS[issue.expected] ?? issue.expected;
    case 'too_big':
      return boundText('at most', issue.maximum, issue.origin);
    case 'too_small':
      return boundText('at least', issue.minimum, issue.origin);
    case 'invalid_union': {
      // Of a choice of types the one that fits names its own bound; otherwise all are named.
      const first = issue.errors.flatMap(([problem]) => problem ?? []);
      const fitting = first.find(({ code }) => code !== 'invalid_type');
      return fitting ? wantedText(fitting) : listText(unique(first.map(wantedText)));
    }
    default:
      return NOUNS[String('format' in issue ? issue.format : '')] ?? 'something else';
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  datetime: 'a time such as 2027-01-31T08:00:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

function boundText(word: string, bound: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  const range = `${word} ${bound.toLocaleString('en')}`;
  return unit === undefined ? range : `${NOUNS[origin]} of ${range} ${unit}`;
}

const SHOWN_LENGTH = 60;

/** A value in a message: whole if it is short, otherwise its beginning and its size. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length.toLocaleString('en')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const shown = String(value);
  if (shown === '') return 'an empty text';
  return shown.length <= SHOWN_LENGTH
    ? shown
    : `${shown.slice(0, SHOWN_LENGTH)}… (${shown.length.toLocaleString('en')} characters)`;
}

const unique = (words: readonly string[]) => [...new Set(words)];

/** `a, b or c` */
function listText(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
