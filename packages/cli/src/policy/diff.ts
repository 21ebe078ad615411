import type { Config, ConfiguredPolicy } from '@redrive/config';
import {
  type DelayDifference,
  diffDocument,
  differingDelays,
  differingFields,
} from '@redrive/config/documents';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';
import { findPolicy } from './find-policy.ts';
import { valueText } from './value-text.ts';

/** One side of the comparison. */
export interface Side {
  /** As the caller may write it: an id, or file:id. */
  readonly label: string;
  readonly policy: ConfiguredPolicy;
}

/** More rows than anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

export const runDiff: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const a = await sideOf(invocation, args[0] ?? '');
  const b = await sideOf(invocation, args[1] ?? '');
  const fields = differingFields(a.policy, b.policy);
  const equal = fields.length === 0;
  if (options.json) {
    printJson(io, diffDocument(a, b));
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
    printLines(io, waitLines(io.screen, titles('wait'), differingDelays(a.policy, b.policy)));
  }
  return equal ? EXIT.ok : EXIT.differs;
};

/** A name in the configuration of the invocation; or, after the last colon, one in the file before it. */
export async function sideOf(invocation: Invocation, name: string): Promise<Side> {
  const colon = name.lastIndexOf(':');
  if (colon <= 0) return sideIn(await loadConfig(invocation), name, '');
  const file = name.slice(0, colon);
  return sideIn(await loadConfig(invocation, file), name.slice(colon + 1), `${file}:`);
}

function sideIn(config: Config, name: string, prefix: string): Side {
  const { policy } = findPolicy(config, name);
  return { label: prefix + policy.id, policy };
}

function waitLines(screen: Screen, titles: readonly Column[], all: readonly DelayDifference[]) {
  if (all.length === 0) return [];
  // A pipe gets every row.
  const shown = screen.isTerminal ? all.slice(0, MAX_ROWS) : all;
  const rows = shown.map(({ attempt, a, b }) => [`before ${attempt}`, waitText(a), waitText(b)]);
  const more = shown.length < all.length ? [`and ${all.length - shown.length} more`] : [];
  return ['', ...tableLines(screen, titles, rows), ...more];
}

function waitText(span: DelayDifference['a']): string {
  if (span === null) return 'no such attempt';
  const { nominal, min, max } = span;
  if (min === max) return formatDuration(nominal);
  return `${formatDuration(nominal)} (${formatDuration(min)} to ${formatDuration(max)})`;
}
