import { type Config, type ConfiguredPolicy, explain } from '@redrive/config';
import {
  type DelayDifference,
  diffDocument,
  differingDelays,
  differingFields,
  fieldValues,
  isPreset,
  listedPolicies,
  plotDocument,
  policyDocument,
  policyJson,
} from '@redrive/config/documents';
import { nominalDelayMs } from '@redrive/core';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, columns, printList, tableLines } from '../terminal/table.ts';
import { formatDuration, shortDuration } from '../terminal/times.ts';
import { findPolicy, jitterText, subjectLines, valueText } from './find-policy.ts';
import { drawPlot } from './plot/draw-plot.ts';
import type { PlottedPolicy } from './plot/panel.ts';
import { scaleFor } from './plot/scale.ts';

const COLUMNS = columns('field:cyan | value:shrinks | from:dim');

export const runShowPolicy: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const found = findPolicy(await loadConfig(invocation), args[0] ?? '');
  if (options.json) printJson(io, policyDocument(found));
  else {
    const rows = fieldValues(found.policy).map((value) => [
      value.field,
      valueText(value),
      value.where,
    ]);
    printLines(io, [
      ...subjectLines(io.screen, found),
      '',
      ...tableLines(io.screen, COLUMNS, rows),
    ]);
  }
};

const LIST_COLUMNS = columns(
  'id:cyan | attempts:right | back-off | first:right | cap:right | jitter | from:dim',
);

export const runList: RunCommand = async (invocation) => {
  const config = await loadConfig(invocation);
  return printList(invocation, {
    name: 'policies',
    items: listedPolicies(config),
    document: policyJson,
    columns: LIST_COLUMNS,
    row: (policy) => policyRow(policy, invocation.io.screen.unicode),
    none: 'There are no policies.',
    beside: { file: config.file ?? null },
  });
};

function policyRow(configured: ConfiguredPolicy, unicode: boolean): string[] {
  const { id, policy, preset } = configured;
  const origin = isPreset(configured) ? 'preset' : 'file';
  return [
    id,
    policy.enabled ? String(policy.maxAttempts) : 'disabled',
    policy.backoff,
    shortDuration(nominalDelayMs(policy, 1)),
    shortDuration(policy.maxDelayMs),
    jitterText(policy, unicode),
    preset === undefined || preset === id ? origin : `${origin}, extends ${preset}`,
  ];
}

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

export const runPlot: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const config = await loadConfig(invocation);
  const policies = args.map((name) => findPolicy(config, name).policy);
  const explained = policies.map((policy) => explain(policy));
  const asked = options.scale === 'linear' || options.scale === 'log' ? options.scale : 'auto';
  const scale = scaleFor(
    explained.flatMap(({ delays_ms }) => delays_ms),
    asked,
  );
  if (options.json) printJson(io, plotDocument(scale.kind, policies));
  else {
    const ascii = options.ascii === true || !io.screen.unicode;
    const plotted = policies.map((policy) => plottedPolicy(policy, ascii));
    printLines(io, drawPlot(io.screen, plotted, scale, ascii));
  }
};

function plottedPolicy(configured: ConfiguredPolicy, ascii: boolean): PlottedPolicy {
  const { policy } = configured;
  const { id, delays_ms, total_nominal_ms } = explain(configured);
  return {
    id: printable(id),
    maxAttempts: policy.enabled ? policy.maxAttempts : 1,
    totalNominalMs: total_nominal_ms,
    jitter: policy.jitter === 'none' ? '' : jitterText(policy, !ascii),
    waits: delays_ms,
  };
}
