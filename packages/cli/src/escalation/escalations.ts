import { type Config, escalationSettings } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  actOnEscalation,
  type Escalation,
  type EscalationRules,
  type Escalations,
  type EscalationWish,
  readEscalations,
} from '@redrive/durable/escalation';
import {
  causeName,
  countText,
  decisionCommand,
  escalationJson,
  escalationLog,
  resolvedEscalation,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, textOption, timeOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { columns, countCell, printList } from '../terminal/table.ts';
import { formatTime } from '../terminal/times.ts';

/** The tiers, the calendar and the times of a configuration. */
export function rulesOf(config: Config): EscalationRules {
  const { tiers, hours, resolveAfterMs } = escalationSettings(config);
  return { tiers, hours, resolveAfterMs };
}

/** Reads the escalations by the rules of the configuration. */
export async function withEscalations<T>(
  invocation: Invocation,
  use: (read: Escalations, store: FullStore) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(invocation);
  const rules = rulesOf(config);
  return withStore(invocation, async (store) => use(await readEscalations(store, rules), store), {
    config,
  });
}

/** A key for people: that of a gate is a list of three texts, and its name is `gate:search`. */
const isNamed = ({ key }: Escalation, given: string) => key === given || causeName(key) === given;
const beginsWith = ({ key }: Escalation, given: string) =>
  key.startsWith(given) || causeName(key).startsWith(given);

/** By its key or its name, or the only one that begins so. @throws CliError with the exit code 3. */
export function findEscalation({ escalations }: Escalations, key: string): Escalation {
  const exact = escalations.find((one) => isNamed(one, key));
  const close = escalations.filter((one) => beginsWith(one, key));
  const found = exact ?? (close.length === 1 ? close[0] : undefined);
  if (found !== undefined) return found;
  const text = close.length > 1 ? `${close.length} escalations begin with ${key}.` : noSuch(key);
  throw new CliError('no_match', text, '"redrive escalations list" lists them.');
}

export const noSuch = (key: string) => `There is no escalation ${key}.`;

const COLUMNS = columns(
  'tier:right | key:cyan | failed:right | stuck:right | owner | state | title',
);

/** The last step that people took, or the step that they must take. */
export function stateText({ document, overdue, tier }: Escalation, nowMs: number): string {
  if (overdue !== undefined) return `${overdue} overdue`;
  if (document === undefined) return tier < 2 ? 'automatic' : 'not notified';
  const { decision, snoozed, acknowledged, notifiedTier } = document;
  if (snoozed !== undefined && snoozed.untilMs > nowMs) return 'snoozed';
  if (decision !== undefined) return `decided: ${decision.decision}`;
  if (acknowledged !== undefined && acknowledged.tier >= notifiedTier) return 'acknowledged';
  return notifiedTier > 0 ? 'notified' : 'not notified';
}

export const runEscalationList: RunCommand = (invocation) =>
  withEscalations(invocation, async ({ nowMs, escalations, more }) =>
    printList(invocation, {
      name: 'escalations',
      items: escalations,
      document: escalationJson,
      columns: COLUMNS,
      row: (one) => [
        String(one.tier),
        causeName(one.key),
        countCell(one.failed, one.bounded),
        countCell(one.stuck),
        one.owner,
        stateText(one, nowMs),
        one.of === 'cause' ? one.title : 'documents',
      ],
      none: 'Nothing fails: there are no dead letters, no failing jobs and no stuck documents.',
      beside: { more },
      ...(more && { below: ['There are more causes than were read: see "redrive dlq groups".'] }),
    }),
  );

const DEFAULT_SINCE_MS = 30 * 86_400_000;

export const runEscalationShow: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const given = args[0] ?? '';
  return withEscalations(invocation, async (read, store) => {
    const open = read.escalations.some((one) => beginsWith(one, given));
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
      io.screen.paint('bold', printable(causeName(key))),
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

const DEFAULT_SNOOZE_MS = 4 * 3_600_000;

export const runEscalationAck: RunCommand = (invocation) =>
  act(invocation, () => [{ act: 'acknowledge' }, 'acknowledged']);

export const runEscalationSnooze: RunCommand = (invocation) => {
  const forMs = durationOption(invocation.options, 'for') ?? DEFAULT_SNOOZE_MS;
  return act(invocation, (nowMs) => {
    const untilMs = nowMs + forMs;
    return [{ act: 'snooze', untilMs }, `snoozed until ${formatTime(untilMs)}`];
  });
};

export const runEscalationAssign: RunCommand = (invocation) => {
  const owner = invocation.args[1] ?? '';
  return act(invocation, () => [{ act: 'assign', owner }, `assigned to ${owner}`]);
};

export const runEscalationDecide: RunCommand = (invocation) => {
  const { options } = invocation;
  const decision = textOption(options, 'decision');
  if (decision !== 'requeue' && decision !== 'purge' && decision !== 'leave')
    throw new CliError('usage', '--decision is missing: requeue, purge or leave.');
  if (textOption(options, 'reason') === undefined)
    throw new CliError('usage', '--reason is missing: a decision needs one.');
  return act(
    invocation,
    () => [{ act: 'decide', decision }, `decided: ${decision}`],
    (escalation) => ({ next: decisionCommand(escalation, decision) }),
  );
};

async function act(
  invocation: Invocation,
  wishOf: (nowMs: number) => readonly [EscalationWish, done: string],
  moreOf: (escalation: Escalation) => { next?: string | null } = () => ({}),
): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  await withEscalations(invocation, async (read, store) => {
    const seen = findEscalation(read, args[0] ?? '');
    const { key, tier } = seen;
    const [wish, done] = wishOf(read.nowMs);
    const request = { ...wish, key, tier, actor: actorOf(options) };
    const document = dry ? seen.document : await actOnEscalation(store, request);
    const owner = document?.owner?.name ?? seen.owner;
    const more = moreOf(seen);
    if (options.json)
      return printJson(io, {
        ...escalationJson({ ...seen, owner, document }),
        ...more,
        dry_run: dry,
      });
    printText(io, `The escalation ${causeName(key)} ${dry ? 'would be' : 'is'} ${done}.`);
    if (more.next) printText(io, `To carry it out: ${more.next}`);
  }).catch((error: unknown) => {
    if (!isRedriveError(error, 'invalid_option')) throw error;
    throw new CliError('usage', `${error.message}.`, undefined, { cause: error });
  });
}
