import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { BREAKER_COLUMNS, type Breaker, breakerLines, breakerRow } from './breaker-lines.ts';

type Breakers = AnswerOf<typeof ACTIONS.breakers.list>;
type Changed = AnswerOf<typeof ACTIONS.breakers.reset>;

const NONE =
  'No breaker has counted a failure. A breaker appears when a job fails whose handler or policy names a dependency and has a circuit breaker, or when an operator forces one.';

export const BREAKER_LIST = listOf<Breakers, Breaker>(({ nowMs }) => ({
  name: 'breakers',
  columns: BREAKER_COLUMNS,
  none: NONE,
  row: (breaker) => breakerRow(breaker, nowMs),
}));

export const BREAKER_SHOW = textOf<Breaker>(({ io, answer, nowMs }) =>
  printLines(io, breakerLines(io.screen, answer, nowMs)),
);

/** In words, for a dry run. */
const WOULD: Readonly<Record<string, string>> = {
  'force-open': 'It would be forced open',
  'force-closed': 'It would be forced closed',
  'half-open': 'The next probe would start at once',
  reset: 'It would be closed, and its count of failures would be 0',
};

export const BREAKER_CHANGE = textOf<Changed>(({ io, answer, nowMs, invocation }) => {
  const { dry_run, exists, ...breaker } = answer;
  const would = WOULD[invocation.command.split(' ').at(-1) ?? ''];
  if (dry_run) printLines(io, [`${would}.`]);
  if (exists) printLines(io, breakerLines(io.screen, breaker, nowMs));
});
