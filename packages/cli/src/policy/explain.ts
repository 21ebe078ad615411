import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import { jitterText, subjectLines } from './policy-words.ts';

type Explanation = AnswerOf<typeof ACTIONS.policies.explain>;

const COLUMNS = columns(
  'attempt:right,cyan | nominal:right | least:right,dim | most:right,dim | starts after:right',
);

/** More rows than anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

export const POLICY_EXPLAIN = textOf<Explanation>(({ io, answer }) => {
  const { screen } = io;
  const { description, max_attempts: most, enabled, worst_cases } = answer;
  const wrapped = (text: string) => wrapWords(text, screen.columns);
  const attempts = most === 1 ? '1 attempt' : `${most} attempts`;
  const shape = `${attempts}, ${backoffText(answer)}, jitter ${jitterText(answer, screen.unicode)}`;
  printLines(io, [
    ...subjectLines(screen, answer),
    ...(description === '' ? [] : wrapped(printable(description))),
    ...(enabled ? [screen.paint('dim', shape)] : []),
    '',
    ...scheduleLines(screen, answer),
    ...[answer.gives_up, ...limits(answer), ...worst_cases.map(layersText)].flatMap(wrapped),
  ]);
});

/** `exponential x2`, `fixed`, `schedule of 5`; and that the first retry is immediate, where it is. */
function backoffText(answer: Explanation): string {
  const { backoff_type: type, backoff_multiplier, schedule_length } = answer;
  const kind =
    type === 'exponential'
      ? `exponential x${backoff_multiplier}`
      : type === 'schedule'
        ? `schedule of ${schedule_length}`
        : type;
  return answer.immediate_first_retry ? `${kind}, first retry at once` : kind;
}

function scheduleLines(
  screen: Screen,
  { delays_ms, delays_truncated, max_attempts }: Explanation,
): string[] {
  if (delays_ms.length === 0) return [];
  let startMs = 0;
  // A pipe gets every row.
  const shown = screen.isTerminal ? delays_ms.slice(0, MAX_ROWS) : delays_ms;
  const rows = shown.map(({ attempt, nominal, min, max }) => {
    startMs += nominal;
    return [String(attempt), ...[nominal, min, max, startMs].map(formatDuration)];
  });
  const more =
    delays_truncated || shown.length < delays_ms.length
      ? [`  and so on, up to attempt ${max_attempts}`]
      : [];
  const table = tableLines(screen, COLUMNS, [['1', '', '', '', '0'], ...rows]);
  return [...table.map((line) => `  ${line}`), ...more, ''];
}

/** The worst case of the policy together with the other layers on the way to a dependency. */
function layersText({ dependency, layers, text }: Explanation['worst_cases'][number]): string {
  return `Calls to ${printable(dependency)} through ${printable(layers.join(', '))}: ${text}.`;
}

/** The other limits of an attempt or a delay. */
function limits({ attempt_timeout_ms, unclassified_errors }: Explanation): string[] {
  const timeout =
    attempt_timeout_ms === null
      ? []
      : [`Each attempt may take ${formatDuration(attempt_timeout_ms)}.`];
  const unknown =
    unclassified_errors === 'final'
      ? ['An error that no rule knows is final: it is not retried.']
      : [];
  return [...timeout, ...unknown];
}
