import { type Config, escalationSettings } from '@redrive/config';
import type { EscalationRules } from '@redrive/durable/escalation';
import { causeName, countText, errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { columns, countCell } from '../terminal/table.ts';
import { formatTime } from '../terminal/times.ts';

type Actions = typeof ACTIONS.escalations;
type Escalations = AnswerOf<Actions['list']>;
type Escalation = Escalations['escalations'][number];
type Shown = AnswerOf<Actions['show']>;
type Acted = AnswerOf<Actions['ack']> &
  Partial<Pick<AnswerOf<Actions['snooze']>, 'until'>> &
  Partial<Pick<AnswerOf<Actions['decide']>, 'next'>>;

/** The tiers, the calendar and the times of a configuration. */
export function rulesOf(config: Config): EscalationRules {
  const { tiers, hours, resolveAfterMs, maxNotificationsPerLook } = escalationSettings(config);
  return { tiers, hours, resolveAfterMs, maxNotificationsPerLook };
}

const COLUMNS = columns(
  'tier:right | key:cyan | failed:right | stuck:right | owner | state | title',
);

/** The last step that people took, or the step that they must take. */
function stateText(escalation: Escalation, nowMs: number): string {
  const { overdue, tier, since, decision, acknowledged_tier, notified_tier } = escalation;
  if (overdue !== null) return `${overdue} overdue`;
  if (since === null) return tier < 2 ? 'automatic' : 'not notified';
  if (Date.parse(escalation.snoozed_until ?? '') > nowMs) return 'snoozed';
  if (decision !== null) return `decided: ${decision}`;
  if (acknowledged_tier !== null && acknowledged_tier >= notified_tier) return 'acknowledged';
  return notified_tier > 0 ? 'notified' : 'not notified';
}

export const ESCALATION_LIST = listOf<Escalations, Escalation>(({ answer: { more }, nowMs }) => ({
  name: 'escalations',
  columns: COLUMNS,
  none: 'Nothing fails: there are no dead letters, no failing jobs and no stuck documents.',
  row: (one) => [
    String(one.tier),
    causeName(one.key),
    countCell(one.failed, one.bounded),
    countCell(one.stuck),
    one.owner,
    stateText(one, nowMs),
    one.kind === 'cause' ? errorWords(one.title) : 'documents',
  ],
  ...(more && { below: ['There are more causes than were read: see "redrive dlq groups".'] }),
}));

export const ESCALATION_SHOW = textOf<Shown>(({ io, answer, nowMs }) => {
  const { key, resolved, log, respond_by, resolve_by, stuck, failed, bounded } = answer;
  const facts: [string, string | null][] = [
    ['tier', `${answer.tier}, ${resolved ? 'resolved' : stateText(answer, nowMs)}`],
    ['items', `${countText(failed, bounded)} failed, ${countText(stuck, false)} stuck`],
    ['owner', answer.owner],
    ['title', errorWords(answer.title)],
    ['respond by', respond_by && formatTime(Date.parse(respond_by))],
    ['resolve by', resolve_by && formatTime(Date.parse(resolve_by))],
  ];
  printLines(io, [
    io.screen.paint('bold', printable(causeName(key))),
    ...facts.flatMap(([name, text]) =>
      text === null ? [] : [`  ${io.screen.paint('dim', name.padEnd(10))}  ${printable(text)}`],
    ),
    ...(log.length > 0 ? ['', 'Log, the newest first'] : []),
    ...log.map((entry) => printable(`  ${logText(entry)}`)),
  ]);
});

function logText({ at, act, by, why, detail }: Shown['log'][number]): string {
  const more = Object.entries(detail).map(([name, value]) => `${name} ${String(value)}`);
  const about = more.length > 0 ? ` (${more.join(', ')})` : '';
  return `${formatTime(Date.parse(at))}  ${act}${about} by ${by}${why === null ? '' : `: ${why}`}`;
}

export const ESCALATION_ACT = textOf<Acted>(({ io, answer, invocation }) => {
  const { key, until, next, dry_run } = answer;
  const { args, options, command } = invocation;
  const done: Readonly<Record<string, string>> = {
    ack: 'acknowledged',
    snooze: `snoozed until ${formatTime(Date.parse(until ?? ''))}`,
    assign: `assigned to ${args[1]}`,
    decide: `decided: ${String(options.decision)}`,
  };
  const what = done[command.split(' ').at(-1) ?? ''];
  printText(io, `The escalation ${causeName(key)} ${dry_run ? 'would be' : 'is'} ${what}.`);
  if (next) printText(io, `To carry it out: ${next}`);
});
