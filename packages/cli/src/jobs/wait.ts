import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';

/** The result as JSON, safe for a terminal; of a job without a result, how it ended. */
export const JOB_WAIT = textOf<AnswerOf<typeof ACTIONS.jobs.wait>>(({ io, answer }) => {
  const { state, reason, result_text: result, last_error: error } = answer;
  if (state === 'succeeded') return printLines(io, [printable(safeJson(result ?? ''))]);
  const last = error === null ? '' : `: ${error.message}`;
  io.stderr(`${printable(`${state} (${reason ?? 'no reason'})${last}`)}\n`);
});
