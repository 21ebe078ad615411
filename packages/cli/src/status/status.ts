import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { failingLines } from './failing-lines.ts';
import { countLines, sourceLines, workerLines } from './overview-lines.ts';
import { stoppedLines } from './stopped-lines.ts';

export type Status = AnswerOf<typeof ACTIONS.status.show>;

export const STATUS_SHOW = textOf<Status>(({ io, answer, nowMs }) =>
  printLines(io, statusLines(io.screen, answer, nowMs)),
);

/** The verdict, the causes that fail, the stops and who set them, workers, queues. */
function statusLines(screen: Screen, status: Status, nowMs: number): string[] {
  const when = `${screen.paint('bold', printable(status.store))}  ${screen.paint('dim', formatTime(nowMs))}`;
  return [
    ...verdictLines(screen, status),
    ...['', when],
    ...failingLines(screen, status, nowMs),
    ...stoppedLines(screen, status, nowMs),
    ...workerLines(screen, status, nowMs),
    ...sourceLines(screen, status, nowMs),
    ...countLines(screen, status, nowMs),
  ];
}

/** The most urgent problem, and the others under it. */
function verdictLines(screen: Screen, { problems, verdict }: Status): string[] {
  if (problems.length === 0) return [screen.paint('green', verdict)];
  return problems.flatMap(({ level, text }) => {
    const colour = level === 'bad' ? 'red' : 'yellow';
    return wrapWords(printable(/[.!?…]$/.test(text) ? text : `${text}.`), screen.columns, '  ').map(
      (line) => screen.paint(colour, line),
    );
  });
}
