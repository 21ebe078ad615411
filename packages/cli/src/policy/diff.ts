import { type Config, type ConfiguredPolicy, type ExplainedDelay, explain } from '@redrive/config';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import { type FieldValue, fieldValues, valueText } from './field-values.ts';
import { findPolicy } from './find-policy.ts';

/** One side of the comparison. */
interface Side {
  /** As the caller may write it: an id, or file:id. */
  readonly label: string;
  readonly policy: ConfiguredPolicy;
}

/** What people call a policy is not what it does. */
const NOT_COMPARED = ['id', 'name', 'description'];

/** More rows than anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

export const runDiff: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const a = await sideOf(invocation, args[0] ?? '');
  const b = await sideOf(invocation, args[1] ?? '');
  const fields = differingFields(a.policy, b.policy);
  const delays = differingDelays(a.policy, b.policy);
  const equal = fields.length === 0;
  if (options.json) {
    const values = fields.map(([field, left, right]) => ({ field, a: left.value, b: right.value }));
    printJson(io, { equal, a: a.label, b: b.label, fields: values, delays_ms: delays });
  } else if (equal) {
    printLines(io, [`${printable(a.label)} and ${printable(b.label)} do the same.`]);
  } else {
    const titles = (first: string): Column[] => [
      { title: first, colour: 'cyan' },
      { title: printable(a.label), shrinks: true },
      { title: printable(b.label), shrinks: true },
    ];
    const rows = fields.map(([field, left, right]) => [field, valueText(left), valueText(right)]);
    printLines(io, tableLines(io.screen, titles('field'), rows));
    printLines(io, waitLines(io.screen, titles('wait'), delays));
  }
  return equal ? EXIT.ok : EXIT.differs;
};

/** A name in the configuration of the invocation; or, after the last colon, one in the file before it. */
async function sideOf(invocation: Invocation, name: string): Promise<Side> {
  const colon = name.lastIndexOf(':');
  if (colon <= 0) return sideIn(await loadConfig(invocation), name, '');
  const file = name.slice(0, colon);
  return sideIn(await loadConfig(invocation, file), name.slice(colon + 1), `${file}:`);
}

function sideIn(config: Config, name: string, prefix: string): Side {
  const { policy } = findPolicy(config, name);
  return { label: prefix + policy.id, policy };
}

function differingFields(
  a: ConfiguredPolicy,
  b: ConfiguredPolicy,
): (readonly [field: string, a: FieldValue, b: FieldValue])[] {
  const others = new Map(comparable(b).map((value) => [value.field, value]));
  return comparable(a).flatMap((left) => {
    const right = others.get(left.field);
    const same = right === undefined || JSON.stringify(left.value) === JSON.stringify(right.value);
    return same ? [] : [[left.field, left, right] as const];
  });
}

/** The fields that do something. */
function comparable(configured: ConfiguredPolicy): FieldValue[] {
  return fieldValues(configured).filter(({ field }) => !NOT_COMPARED.includes(field));
}

type Span = Pick<ExplainedDelay, 'nominal' | 'min' | 'max'>;

interface DelayDifference {
  readonly attempt: number;
  readonly a: Span | null;
  readonly b: Span | null;
}

function differingDelays(a: ConfiguredPolicy, b: ConfiguredPolicy): DelayDifference[] {
  const left = explain(a).delays_ms;
  const right = explain(b).delays_ms;
  const longer = left.length > right.length ? left : right;
  return longer
    .map(({ attempt }, index) => ({ attempt, a: spanOf(left[index]), b: spanOf(right[index]) }))
    .filter((each) => JSON.stringify(each.a) !== JSON.stringify(each.b));
}

function spanOf(delay: ExplainedDelay | undefined): Span | null {
  return delay === undefined ? null : { nominal: delay.nominal, min: delay.min, max: delay.max };
}

function waitLines(screen: Screen, titles: readonly Column[], all: readonly DelayDifference[]) {
  if (all.length === 0) return [];
  // A pipe gets every row.
  const shown = screen.isTerminal ? all.slice(0, MAX_ROWS) : all;
  const rows = shown.map(({ attempt, a, b }) => [`before ${attempt}`, waitText(a), waitText(b)]);
  const more = shown.length < all.length ? [`and ${all.length - shown.length} more`] : [];
  return ['', ...tableLines(screen, titles, rows), ...more];
}

function waitText(span: Span | null): string {
  if (span === null) return 'no such attempt';
  const { nominal, min, max } = span;
  if (min === max) return formatDuration(nominal);
  return `${formatDuration(nominal)} (${formatDuration(min)} to ${formatDuration(max)})`;
}
