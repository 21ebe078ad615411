import { commandText } from '@redrive/core/fields';
import { counted, countText, MAX_ACT_IDS } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { stopText } from '../ops/operation-lines.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';

export type BulkAnswer = AnswerOf<typeof ACTIONS.operations.submit>;
type Plan = NonNullable<BulkAnswer['plan']>;

/** The letters that the act changes, and those that refuse it. `will`: somebody has confirmed it. */
export function planLines(
  screen: Screen,
  act: string,
  plan: Plan | null,
  verb: 'would' | 'will' = 'would',
): string[] {
  if (plan === null) return [];
  if (plan.done + plan.refused === 0) return ['No dead letter matches.'];
  const { done } = wordsOf(act);
  const more = moreText(act, plan.done);
  const rest = plan.more ? ' There are more letters than the plan covers.' : '';
  const cutOff = `Letters that die after ${formatTime(Date.parse(plan.cut_off ?? ''))} are not included.`;
  const text = `${counted(plan.done, 'dead letter')} ${verb} be ${done}. ${more} ${cutOff}${rest}`;
  return [
    ...wrapWords(text.replaceAll('  ', ' '), screen.columns),
    ...sampleLines(screen, plan),
    ...refusalLines(screen, plan.refused, plan.refusals, `${verb} not be`),
    ...plan.stopped_by.flatMap((stop) =>
      wrapWords(`They ${verb} wait: ${stopText(stop)}`, screen.columns),
    ),
  ];
}

function sampleLines(screen: Screen, { sample_ids, done: eligible }: Plan): string[] {
  const shown = sample_ids.map((id) => `  ${screen.paint('cyan', printable(id))}`);
  return eligible > shown.length
    ? [...shown, `  and ${(eligible - shown.length).toLocaleString('en')} more`]
    : shown;
}

/** The report of an act: how many letters were changed, and which refused. */
export function reportLines(screen: Screen, answer: BulkAnswer): string[] {
  const { act, refusals, restorable_until: until, operation, succeeded, came_back } = answer;
  const { done: acted, refused, status } = answer;
  const more = moreText(act, acted);
  const verb = acted === 1 ? 'was' : 'were';
  const time = (at: string | null | undefined) => formatTime(Date.parse(at ?? ''));
  const before = answer.already_done
    ? ` The same bulk operation did that at ${time(status?.updated_at)}; nothing was changed now.`
    : '';
  const undo =
    until === null || acted === 0
      ? ''
      : ` They can be restored until ${time(until)}: redrive dlq restore ${acted > MAX_ACT_IDS ? '--all, with the same filter' : commandText`--purge ${operation ?? ''}`}`;
  const extra = acted === 0 || more === '' || act === 'restore' ? '' : ` ${more}`;
  const results =
    succeeded === null || came_back === null
      ? ''
      : ` First attempts: ${succeeded.toLocaleString('en')} succeeded, ${came_back.toLocaleString('en')} failed.`;
  const text = `${counted(acted, 'dead letter')} ${verb} ${wordsOf(act).done}.${extra}${results}${before}${undo}`;
  return [
    ...wrapWords(printable(text), screen.columns),
    ...refusalLines(screen, refused, refusals, refused === 1 ? 'was not' : 'were not'),
  ];
}

/** After Ctrl-C: `Ctrl-C: 4,812 dead letters were purged, 5,188 are left.` */
export function leftLine(status: NonNullable<BulkAnswer['status']>): string {
  const { act, done: acted, refused, total, total_bounded } = status;
  const done = `${counted(acted, 'dead letter')} ${acted === 1 ? 'was' : 'were'} ${wordsOf(act).done}`;
  if (total === null) return `Ctrl-C: ${done}.`;
  const left = Math.max(0, total - acted - refused);
  return `Ctrl-C: ${done}, ${countText(left, total_bounded)} ${left === 1 ? 'is' : 'are'} left.`;
}

function refusalLines(
  screen: Screen,
  count: number,
  refusals: Plan['refusals'],
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

interface Words {
  /** `3 dead letters … requeued`. */
  readonly done: string;
  /** The text after the count: for several letters, and for one. */
  readonly more: string;
  readonly one?: string;
}

const ACT_WORDS: Readonly<Record<string, Words>> = {
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

function wordsOf(act: string): Words {
  return ACT_WORDS[act] ?? { done: act, more: '' };
}

function moreText(act: string, count: number): string {
  const { more, one = more } = wordsOf(act);
  return count === 1 ? one : more;
}
