import { isRedriveError } from '@redrive/core';
import { actOnEscalation, type Escalation, type EscalationWish } from '@redrive/durable/escalation';
import { decisionCommand, escalationJson } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, textOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printJson, printText } from '../terminal/io.ts';
import { formatTime } from '../terminal/times.ts';
import { findEscalation, withEscalations } from './read.ts';

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
    printText(io, `The escalation ${key} ${dry ? 'would be' : 'is'} ${done}.`);
    if (more.next) printText(io, `To carry it out: ${more.next}`);
  }).catch((error: unknown) => {
    if (!isRedriveError(error, 'invalid_option')) throw error;
    throw new CliError('usage', `${error.message}.`, undefined, { cause: error });
  });
}
