import {
  type Explanation,
  explain,
  type LookUp,
  type WorstCase,
  worstCasesOf,
} from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import { backoffText, findPolicy, jitterText, slipOf, subjectLines } from './find-policy.ts';

const COLUMNS = columns(
  'attempt:right,cyan | nominal:right | least:right,dim | most:right,dim | starts after:right',
);

/** More rows than anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

export const runExplain: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [name = ''] = args;
  const config = await loadConfig(invocation);
  const found = findPolicy(config, name);
  const slip = slipOf(config, name, found);
  if (slip !== undefined) io.stderr(`${printable(slip)}\n`);
  const explanation = explain(found.policy, found);
  const worst_cases = worstCasesOf(config, found.policy);
  if (options.json) printJson(io, { ...explanation, worst_cases });
  else printLines(io, explanationLines(io.screen, found, explanation, worst_cases));
};

function explanationLines(
  screen: Screen,
  found: LookUp,
  explanation: Explanation,
  worstCases: readonly WorstCase[],
): string[] {
  const { policy } = found.policy;
  const wrapped = (text: string) => wrapWords(text, screen.columns);
  const description =
    explanation.description === '' ? [] : wrapped(printable(explanation.description));
  const attempts = policy.maxAttempts === 1 ? '1 attempt' : `${policy.maxAttempts} attempts`;
  const shape = `${attempts}, ${backoffText(policy)}, jitter ${jitterText(policy, screen.unicode)}`;
  return [
    ...subjectLines(screen, found),
    ...description,
    ...(policy.enabled ? [screen.paint('dim', shape)] : []),
    '',
    ...scheduleLines(screen, explanation),
    ...[explanation.gives_up, ...limits(explanation), ...worstCases.map(layersText)].flatMap(
      wrapped,
    ),
  ];
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
function layersText({ dependency, layers, text }: WorstCase): string {
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
