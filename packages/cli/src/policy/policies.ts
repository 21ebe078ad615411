import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, columns, tableLines } from '../terminal/table.ts';
import { formatDuration, shortDuration } from '../terminal/times.ts';
import { drawPlot } from './plot/draw-plot.ts';
import { scaleFor } from './plot/scale.ts';
import { jitterText, subjectLines, valueText } from './policy-words.ts';

type List = AnswerOf<typeof ACTIONS.policies.list>;
type Listed = List['policies'][number];
type Values = AnswerOf<typeof ACTIONS.policies.show>;
type Diff = AnswerOf<typeof ACTIONS.policies.diff>;
type Wait = Diff['delays_ms'][number];
type Plot = AnswerOf<typeof ACTIONS.policies.plot>;

const COLUMNS = columns('field:cyan | value:shrinks | from:dim');

export const POLICY_SHOW = textOf<Values>(({ io, answer }) => {
  const rows = answer.values.map((value) => [value.field, valueText(value), value.where]);
  const table = tableLines(io.screen, COLUMNS, rows);
  printLines(io, [...subjectLines(io.screen, answer), '', ...table]);
});

const LIST_COLUMNS = columns(
  'id:cyan | attempts:right | back-off | first:right | cap:right | jitter | from:dim',
);

export const POLICY_LIST = listOf<List, Listed>(({ io }) => ({
  name: 'policies',
  columns: LIST_COLUMNS,
  none: 'There are no policies.',
  row: (policy) => [
    policy.id,
    policy.enabled ? String(policy.max_attempts) : 'disabled',
    policy.backoff_type,
    shortDuration(policy.first_wait_ms),
    shortDuration(policy.max_delay_ms),
    jitterText(policy, io.screen.unicode),
    originText(policy),
  ],
}));

function originText({ id, preset }: Listed): string {
  if (preset === id) return 'preset';
  return preset === null ? 'file' : `file, extends ${preset}`;
}

/** More rows than anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

export const POLICY_DIFF = textOf<Diff>(({ io, answer: { equal, a, b, fields, delays_ms } }) => {
  if (equal) return printLines(io, [`${printable(a)} and ${printable(b)} do the same.`]);
  const titles = (first: string): Column[] => [
    { title: first, colour: 'cyan' },
    { title: printable(a), shrinks: true },
    { title: printable(b), shrinks: true },
  ];
  const rows = fields.map(({ field, unit, ...of }) => [
    field,
    valueText({ value: of.a, unit }),
    valueText({ value: of.b, unit }),
  ]);
  printLines(io, tableLines(io.screen, titles('field'), rows));
  printLines(io, waitLines(io.screen, titles('wait'), delays_ms));
});

function waitLines(screen: Screen, titles: readonly Column[], all: readonly Wait[]): string[] {
  if (all.length === 0) return [];
  // A pipe gets every row.
  const shown = screen.isTerminal ? all.slice(0, MAX_ROWS) : all;
  const rows = shown.map(({ attempt, a, b }) => [`before ${attempt}`, waitText(a), waitText(b)]);
  const more = shown.length < all.length ? [`and ${all.length - shown.length} more`] : [];
  return ['', ...tableLines(screen, titles, rows), ...more];
}

function waitText(span: Wait['a']): string {
  if (span === null) return 'no such attempt';
  const { nominal, min, max } = span;
  if (min === max) return formatDuration(nominal);
  return `${formatDuration(nominal)} (${formatDuration(min)} to ${formatDuration(max)})`;
}

export const POLICY_PLOT = textOf<Plot>(({ io, options, answer: { scale, policies } }) => {
  const ascii = options.ascii === true || !io.screen.unicode;
  const plotted = policies.map((policy) => ({
    id: printable(policy.id),
    maxAttempts: policy.enabled ? policy.max_attempts : 1,
    totalNominalMs: policy.total_nominal_ms,
    jitter: policy.jitter_type === 'none' ? '' : jitterText(policy, !ascii),
    waits: policy.delays_ms,
  }));
  const waits = plotted.flatMap((each) => each.waits);
  printLines(io, drawPlot(io.screen, plotted, scaleFor(waits, scale), ascii));
});
