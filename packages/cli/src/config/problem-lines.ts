import { maskUrls, type Problem } from '@redrive/config';
import type { Io } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/** Problems, and the text that they are about. */
interface ProblemsOfText {
  readonly problems: readonly Problem[];
  readonly text: string;
  readonly file?: string;
}

/** Says on stderr what is wrong, where problems are not the result. */
export function printProblems(io: Io, found: ProblemsOfText): void {
  for (const line of problemLines(io.errorScreen, found)) io.stderr(`${line}\n`);
}

/** Problems for people: where, what, the line itself with a mark under the place, and what to write instead. */
export function problemLines(
  screen: Screen,
  { problems, text, file = '' }: ProblemsOfText,
): string[] {
  const sourceLines = text.split(/\r\n|\r|\n/);
  return problems.flatMap((problem) => {
    const inFile = problem.file === undefined || problem.file === file;
    const hasPlace = inFile && !isAboutAll(problem);
    const excerpt = hasPlace ? excerptOf(screen, problem, sourceLines[problem.line - 1]) : [];
    return [
      ...heading(screen, problem, inFile ? file : (problem.file ?? '')),
      ...excerpt,
      ...advice(screen, problem),
      '',
    ];
  });
}

/** About the file itself, such as its rights: no line of it is to blame. */
function isAboutAll({ path, line, column }: Problem): boolean {
  return path === '' && line === 1 && column === 1;
}

/** Where a problem is: a file with line and column, or a variable of the environment, which has neither. */
export function placeText(problem: Problem, file: string): string {
  const { path, line, column } = problem;
  return isAboutAll(problem) || path === file ? file : `${file}:${line}:${column}`;
}

/** The inputs that have errors: files, and variables of the process's environment. */
export function faultyInputs(problems: readonly Problem[], file: string): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const names = errors.map((problem) =>
    problem.file !== undefined && problem.path === problem.file
      ? `the environment variable ${problem.file}`
      : (problem.file ?? file),
  );
  return [...new Set(names)];
}

/** As the beginning of a sentence; a file's name stays as it is. */
export const asSubject = (inputs: readonly string[]) =>
  inputs.join(', ').replace(/^the environment/, 'The environment');

function heading(screen: Screen, problem: Problem, file: string): string[] {
  const { severity, code, message } = problem;
  const place = placeText(problem, file);
  const colour = severity === 'error' ? 'red' : 'yellow';
  const [first = '', ...others] = wrapWords(
    `${printable(place)} ${severity} ${printable(message)} [${code}]`,
    screen.columns,
    MARGIN,
  );
  // Painted after it is wrapped, because colours have no width.
  const start = `${printable(place)} ${severity}`;
  if (!first.startsWith(start)) return [first, ...others];
  const painted = `${screen.paint('bold', printable(place))} ${screen.paint(colour, severity)}`;
  return [painted + first.slice(start.length), ...others];
}

const MARGIN = '    ';

/** The line without secrets of URLs, cut to the screen around the place, and a caret under it. */
function excerptOf(screen: Screen, problem: Problem, source: string | undefined): string[] {
  if (source === undefined || source.trim() === '') return [];
  const width = screen.columns - MARGIN.length;
  // A mask before the place moves the caret.
  const column = maskUrls(source.slice(0, problem.column - 1)).length + 1;
  // Tabs as one blank each, so that the caret stands where the column is.
  const line = printable(maskUrls(source).replaceAll('\t', ' '));
  const start = Math.max(0, column - 1 - Math.floor((width * 2) / 3));
  const shown = [...line].slice(start, start + width).join('');
  const caret = ' '.repeat(Math.min(column - 1 - start, width - 1));
  return [MARGIN + screen.paint('dim', shown), `${MARGIN}${caret}${screen.paint('red', '^')}`];
}

function advice(screen: Screen, { suggestion }: Problem): string[] {
  if (suggestion === undefined) return [];
  const arrow = screen.unicode ? '→' : '->';
  const [first = '', ...others] = wrapWords(
    `${arrow} ${printable(suggestion)}`,
    screen.columns - MARGIN.length,
    '  ',
  );
  const painted = screen.paint('green', arrow) + first.slice(arrow.length);
  return [painted, ...others].map((line) => MARGIN + line);
}
