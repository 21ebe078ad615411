import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

/** A line per job: what was done, or why not. */
export const JOB_ACT = textOf<AnswerOf<typeof ACTIONS.jobs.cancel>>(({ io, answer }) =>
  printLines(
    io,
    answer.jobs.map(({ id, note }) => printable(`${id}: ${note}`)),
  ),
);
