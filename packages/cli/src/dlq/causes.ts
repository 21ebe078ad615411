import { systemClock } from '@redrive/core';
import { type CauseSamples, type RankedCause, readCauses } from '@redrive/durable/dead-letters';
import {
  causeGroups,
  causesDocument,
  counted,
  countText,
  errorWords,
  type GroupCauses,
  lettersIn,
  listCommand,
  suggestionOf,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { deadFilter } from './dead-filter.ts';

const DEFAULT_LIMIT = 20;

export const runDlqCauses: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const filter = deadFilter(options, (io.clock ?? systemClock).now());
  const limit = integerOption(options, 'limit', { min: 1, max: 100 }) ?? DEFAULT_LIMIT;
  const samples = await withStore(invocation, (store) => readCauses(store, filter));
  const groups = causeGroups(samples).slice(0, limit);
  if (options.json) printJson(io, causesDocument(samples, groups));
  else printLines(io, causesLines(io.screen, samples, groups));
};

function causesLines(
  screen: Screen,
  samples: CauseSamples,
  groups: readonly GroupCauses[],
): string[] {
  if (groups.length === 0) return ['No dead letter matches.'];
  const rest = samples.groups.size - groups.length;
  return [
    ...wrapWords(lookedText(samples), screen.columns),
    ...groups.flatMap((group) => ['', ...groupLines(screen, samples, group)]),
    ...(rest > 0 ? ['', `and ${counted(rest, 'smaller group')}; --limit shows more`] : []),
  ];
}

function lookedText(samples: CauseSamples): string {
  const { moreLetters, moreSucceeded, succeeded, fromMs, toMs } = samples;
  const letters = `${moreLetters ? 'the newest ' : ''}${counted(lettersIn(samples), 'dead letter')}`;
  const jobs = `${counted(succeeded.length, 'job')} that succeeded`;
  const looked = `Looked at ${letters} and ${jobs}, submitted between ${formatTime(fromMs)} and ${formatTime(toMs)}.`;
  const part =
    'More jobs succeeded, so only jobs of some minutes of this time are compared: select fewer with --since, --until or --handler.';
  return moreSucceeded ? `${looked} ${part}` : looked;
}

function groupLines(screen: Screen, samples: CauseSamples, group: GroupCauses): string[] {
  const count = countText(group.count, false);
  const indent = ' '.repeat(count.length + 2);
  const room = screen.columns - indent.length;
  const wrapped = (text: string) => wrapWords(printable(text), room).map((line) => indent + line);
  const [first = '', ...more] = wrapWords(printable(errorWords(group.pattern)), room);
  const suggestion = suggestionOf(group);
  return [
    `${screen.paint('red', count)}  ${first}`,
    ...more.map((line) => indent + line),
    ...group.causes.flatMap((cause) => wrapped(causeText(cause))),
    ...(suggestion === undefined ? wrapped(nothingText(samples, group)) : wrapped(suggestion)),
    indent + screen.paint('cyan', printable(listCommand(group))),
  ];
}

/** `tenant acme: 40 of 50 dead letters (80%), 5 of 100 succeeded jobs (5%), G 87.6` */
function causeText({ values, failed, succeeded, g }: RankedCause): string {
  const names = values.map(({ dimension, value }) => `${dimension.replace('_', ' ')} ${value}`);
  const letters = `${shareText(failed)} dead letters (${percentText(failed)})`;
  const others = `${shareText(succeeded)} succeeded jobs (${percentText(succeeded)})`;
  return `${names.join(' with ')}: ${letters}, ${others}, G ${g.toFixed(1)}`;
}

type Side = RankedCause['failed'];

function shareText(side: Side): string {
  return `${countText(side.with, false)} of ${countText(side.with + side.without, false)}`;
}

function percentText(side: Side): string {
  return `${Math.round((100 * side.with) / (side.with + side.without))}%`;
}

function nothingText({ succeeded }: CauseSamples, { compared }: GroupCauses): string {
  if (succeeded.length === 0)
    return 'No job succeeded in this time: there is nothing to compare with.';
  if (compared < 5) return 'Too few dead letters to compare: at least 5 are needed.';
  return 'Nothing sets these dead letters apart from the jobs that succeeded.';
}
