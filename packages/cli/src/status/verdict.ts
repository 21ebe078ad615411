import { fineText, type Problem, type Status } from '@redrive/durable/store';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** The most urgent problem, and the others under it. */
export function verdictLines(
  screen: Screen,
  status: Status,
  problems: readonly Problem[],
): string[] {
  if (problems.length === 0) return [screen.paint('green', fineText(status))];
  return problems.flatMap(({ level, text }) => {
    const colour = level === 'bad' ? 'red' : 'yellow';
    return wrapWords(printable(/[.!?…]$/.test(text) ? text : `${text}.`), screen.columns, '  ').map(
      (line) => screen.paint(colour, line),
    );
  });
}
