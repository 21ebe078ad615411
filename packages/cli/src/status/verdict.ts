import { countStates } from '../store/job-counts.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { Problem } from './problems.ts';
import type { Status } from './read-status.ts';

/** The answer in one sentence: that all is well, or the most urgent problem. */
export function verdictOf(status: Status, [first]: readonly Problem[]): string {
  return first?.text ?? fineText(status);
}

/** The most urgent problem, and the others under it. */
export function verdictLines(
  screen: Screen,
  status: Status,
  problems: readonly Problem[],
): string[] {
  if (problems.length === 0) return [screen.paint('green', fineText(status))];
  return problems.flatMap(({ level, text }) => {
    const colour = level === 'bad' ? 'red' : 'yellow';
    return wrapWords(printable(`${text}.`), screen.columns, '  ').map((line) =>
      screen.paint(colour, line),
    );
  });
}

function fineText({ counts, live }: Status): string {
  if (counts.groups.length === 0) return 'Fine: there are no jobs yet.';
  const count = live.workers.length;
  const work =
    count === 0 ? 'no worker is running' : `${count} ${count === 1 ? 'worker' : 'workers'}`;
  const { leased } = countStates(counts);
  const running = leased === 0 ? '' : `, ${leased} running`;
  return `Fine: no job is failing, nothing is stopped; ${work}${running}.`;
}
