import { systemClock } from '@redrive/core';
import { escalationJson, escalationLog, resolvedEscalation } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { timeOption } from '../command/option-values.ts';
import { countText } from '../store/job-counts.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { formatTime } from '../terminal/times.ts';
import { stateText } from './list.ts';
import { findEscalation, noSuch, withEscalations } from './read.ts';

const DEFAULT_SINCE_MS = 30 * 86_400_000;

export const runEscalationShow: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const given = args[0] ?? '';
  return withEscalations(invocation, async (read, store) => {
    const open = read.escalations.some(({ key }) => key.startsWith(given));
    const key = open ? findEscalation(read, given).key : given;
    const nowMs = (io.clock ?? systemClock).now();
    const sinceMs = timeOption(options, 'since', nowMs) ?? nowMs - DEFAULT_SINCE_MS;
    const log = await escalationLog(store, key, sinceMs);
    if (!open && log.length === 0)
      throw new CliError('no_match', noSuch(key), '"redrive escalations list" lists them.');
    const escalation = open ? findEscalation(read, key) : resolvedEscalation(key);
    if (options.json) return printJson(io, { ...escalationJson(escalation), log });
    const { respondByMs, resolveByMs, stuck, failed, bounded } = escalation;
    const facts: [string, string | undefined][] = [
      ['tier', `${escalation.tier}, ${open ? stateText(escalation, read.nowMs) : 'resolved'}`],
      ['items', `${countText(failed, bounded)} failed, ${countText(stuck, false)} stuck`],
      ['owner', escalation.owner],
      ['title', escalation.title],
      ['respond by', respondByMs === undefined ? undefined : formatTime(respondByMs)],
      ['resolve by', resolveByMs === undefined ? undefined : formatTime(resolveByMs)],
    ];
    printLines(io, [
      io.screen.paint('bold', printable(key)),
      ...facts.flatMap(([name, text]) =>
        text === undefined
          ? []
          : [`  ${io.screen.paint('dim', name.padEnd(10))}  ${printable(text)}`],
      ),
      ...(log.length > 0 ? ['', 'Log, the newest first'] : []),
      ...log.map((entry) => printable(`  ${logText(entry)}`)),
    ]);
  });
};

function logText({
  at,
  act,
  by,
  why,
  detail,
}: Awaited<ReturnType<typeof escalationLog>>[number]): string {
  const more = Object.entries(detail).map(([name, value]) => `${name} ${String(value)}`);
  const about = more.length > 0 ? ` (${more.join(', ')})` : '';
  return `${formatTime(Date.parse(at))}  ${act}${about} by ${by}${why === null ? '' : `: ${why}`}`;
}
