import { commandText } from '@redrive/core/fields';
import type { ActPlan, ActWish, OperationStatus } from '@redrive/durable/control';
import {
  type ActOutcome,
  counted,
  countText,
  type LetterAct,
  MAX_ACT_IDS,
  type RefusalNote,
} from '@redrive/durable/store';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';

/** The letters that the act changes, and those that refuse it. `will`: somebody has confirmed it. */
export function planLines(
  screen: Screen,
  outcome: ActOutcome,
  verb: 'would' | 'will' = 'would',
): string[] {
  const { act, plan, refusals } = outcome;
  if (plan === undefined) return [];
  const total = plan.eligible + plan.ineligible;
  if (total === 0) return ['No dead letter matches.'];
  const { done } = ACT_WORDS[act];
  const more = moreText(act, plan.eligible);
  const rest = plan.more ? ' There are more letters than the plan covers.' : '';
  const cutOff = `Letters that die after ${formatTime(plan.cutOffMs)} are not included.`;
  const text = `${counted(plan.eligible, 'dead letter')} ${verb} be ${done}. ${more} ${cutOff}${rest}`;
  return [
    ...wrapWords(text.replaceAll('  ', ' '), screen.columns),
    ...sampleLines(screen, plan),
    ...refusalLines(screen, plan.ineligible, refusals, `${verb} not be`),
  ];
}

function sampleLines(screen: Screen, { sampleIds, eligible }: ActPlan): string[] {
  const shown = sampleIds.slice(0, 10).map((id) => `  ${screen.paint('cyan', printable(id))}`);
  return eligible > shown.length
    ? [...shown, `  and ${(eligible - shown.length).toLocaleString('en')} more`]
    : shown;
}

/** The report of an act: how many letters were changed, and which refused. */
export function reportLines(screen: Screen, outcome: ActOutcome): string[] {
  const { act, report, refusals, restorableUntilMs, operation } = outcome;
  if (report === undefined) return [];
  const { done } = ACT_WORDS[act];
  const { acted, refused, updatedAtMs } = report;
  const more = moreText(act, acted);
  const verb = acted === 1 ? 'was' : 'were';
  const before = report.alreadyFinished
    ? ` The same bulk operation did that at ${formatTime(updatedAtMs)}; nothing was changed now.`
    : '';
  const until =
    restorableUntilMs === undefined || acted === 0
      ? ''
      : ` They can be restored until ${formatTime(restorableUntilMs)}: redrive dlq restore ${acted > MAX_ACT_IDS ? '--all, with the same filter' : commandText`--purge ${operation ?? ''}`}`;
  const extra = acted === 0 || more === '' || act === 'restore' ? '' : ` ${more}`;
  const { followed } = report;
  const results =
    followed === undefined
      ? ''
      : ` First attempts: ${followed.succeeded.toLocaleString('en')} succeeded, ${followed.cameBack.toLocaleString('en')} failed.`;
  const text = `${counted(acted, 'dead letter')} ${verb} ${done}.${extra}${results}${before}${until}`;
  return [
    ...wrapWords(printable(text), screen.columns),
    ...refusalLines(screen, refused, refusals, refused === 1 ? 'was not' : 'were not'),
  ];
}

/** After Ctrl-C: `Ctrl-C: 4,812 dead letters were purged, 5,188 are left.` */
export function leftLine({ acted, refused, total }: OperationStatus, act: LetterAct): string {
  const done = `${counted(acted, 'dead letter')} ${acted === 1 ? 'was' : 'were'} ${ACT_WORDS[act].done}`;
  if (total === undefined) return `Ctrl-C: ${done}.`;
  const left = Math.max(0, total.count - acted - refused);
  return `Ctrl-C: ${done}, ${countText(left, total.bounded)} ${left === 1 ? 'is' : 'are'} left.`;
}

function refusalLines(
  screen: Screen,
  count: number,
  refusals: readonly RefusalNote[],
  verb: string,
): string[] {
  if (count === 0) return [];
  const rest = count - refusals.length;
  return [
    `${count.toLocaleString('en')} ${verb}:`,
    ...refusals.map(
      ({ id, note }) => `  ${screen.paint('cyan', printable(id))} ${printable(note)}`,
    ),
    ...(rest > 0 ? [`  and ${rest.toLocaleString('en')} more`] : []),
  ];
}

export type LetterWish = ActWish & { readonly act: LetterAct };

interface Words {
  /** `3 dead letters … requeued`. */
  readonly done: string;
  /** The text after the count: for several letters, and for one. */
  readonly more: string;
  readonly one?: string;
}

const ACT_WORDS: Readonly<Record<LetterAct, Words>> = {
  requeue: {
    done: 'requeued',
    more: 'Each begins a new generation with all its attempts.',
    one: 'It begins a new generation with all its attempts.',
  },
  reset: {
    done: 'reset',
    more: 'All attempts are available again. They stay dead letters until they are requeued.',
    one: 'All its attempts are available again. It stays a dead letter until it is requeued.',
  },
  purge: { done: 'purged', more: '' },
  restore: { done: 'restored', more: 'They are dead letters again, as they were.' },
};

function moreText(act: LetterAct, count: number): string {
  const { more, one = more } = ACT_WORDS[act];
  return count === 1 ? one : more;
}
