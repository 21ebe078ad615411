import { jobsSettings } from '@redrive/config';
import { newId, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import { type ActPlan, planActs } from '@redrive/durable/control';
import {
  type ActOutcome,
  actDocument,
  counted,
  doneOf,
  type LetterAct,
  MAX_PLANNED,
  refusalNotes,
  refusedOf,
  unservedHandlers,
} from '@redrive/durable/store';
import { operationDetails } from '@redrive/operate/texts';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { momentOption, textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { awaitedText, nextStep, operationLines } from '../ops/operation-lines.ts';
import { goesOn } from '../ops/operations.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { describeError } from '../terminal/report-error.ts';
import { type LetterWish, leftLine, planLines, reportLines } from './act-output.ts';
import { type Aim, actTarget } from './act-target.ts';
import { type BulkReport, type BulkTerms, bulkTerms, runBulk } from './run-bulk.ts';

export const runDlqRequeue: RunCommand = (invocation) => actOnLetters(invocation, 'requeue');
export const runDlqReset: RunCommand = (invocation) => actOnLetters(invocation, 'reset');
export const runDlqPurge: RunCommand = (invocation) => actOnLetters(invocation, 'purge');
export const runDlqRestore: RunCommand = (invocation) => actOnLetters(invocation, 'restore');

function actOnLetters(invocation: Invocation, act: LetterAct): Promise<ExitCode> {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const deadline = momentOption(options, 'deadline');
  return withStore(invocation, async (store) => {
    const aim = await actTarget(invocation, store, nowMs);
    const wish: LetterWish = { act, target: aim.target, deadline, actor: actorOf(options) };
    return carryOut(invocation, store, wish, aim);
  });
}

/** Shows the plan where one is wanted, does it, and says what came of it. */
export async function carryOut(
  invocation: Invocation,
  store: FullStore,
  wish: LetterWish,
  { needsConsent }: Pick<Aim, 'needsConsent'>,
): Promise<ExitCode> {
  const { io, options } = invocation;
  const { act, target } = wish;
  const dry = options.dryRun === true;
  let terms = bulkTerms(options);
  const plan = dry || needsConsent ? await planActs(store, wish) : undefined;
  const planned: ActOutcome = {
    act,
    operation: textOption(options, 'operation'),
    plan,
    report: undefined,
    refusals: await refusalNotes(store, plan?.refusals ?? []),
    restorableUntilMs: undefined,
  };
  if (dry || (plan !== undefined && plan.eligible === 0)) return finish(invocation, planned);
  if (plan !== undefined && needsConsent) {
    askConsent(invocation, planned, { plan, terms, isCounted: hasSeenAll(plan, wish) });
  }
  const id = planned.operation ?? newId('op', io.clock ?? systemClock);
  if (!options.json) note(io, `Bulk operation ${printable(id)}`);
  if (act === 'requeue' && !options.detach) {
    const named = 'ids' in target ? target.ids : (plan?.sampleIds ?? []);
    const ids = named.map((each) => (typeof each === 'string' ? each : each.id));
    terms = withoutWorker(invocation, terms, await unservedHandlers(store, ids));
  }
  const way = wayOn(invocation, wish, id);
  const done = await runBulk(invocation, store, wish, { id, terms }).catch((error: unknown) =>
    withWayOn(error, way),
  );
  const { status, refusals, alreadyFinished } = done;
  const restorableUntilMs = act === 'purge' ? await restorableUntil(invocation, status) : undefined;
  const followed = status.followed ? status : undefined;
  const outcome: ActOutcome = {
    ...planned,
    operation: id,
    report: { ...status, alreadyFinished, followed },
    refusals: await refusalNotes(store, refusals),
    restorableUntilMs,
  };
  if (status.state === 'finished') return finish(invocation, outcome);
  return finishLater(invocation, outcome, done, way);
}

/** Without a worker that has the handlers, no stage gets its results: stages that nobody asked for are left out. */
function withoutWorker(
  { io, options }: Invocation,
  terms: BulkTerms | undefined,
  unserved: readonly string[],
): BulkTerms | undefined {
  if (unserved.length === 0) return terms;
  const { ramp, maxInFlight, stopShare } = terms ?? {};
  // Its watch says what its jobs wait for.
  if (ramp || maxInFlight !== undefined || stopShare !== undefined) return terms;
  const stages = terms === undefined || ramp === false ? '' : ', without stages';
  if (!options.json) note(io, `They are requeued here${stages}. ${awaitedText(unserved)}`);
  return terms && { ...terms, ramp: false };
}

/** It is not finished: prints its progress, and the next step. */
function finishLater(
  { io, options }: Invocation,
  outcome: ActOutcome,
  { status, isInterrupted }: BulkReport,
  way: string,
): ExitCode {
  const details = operationDetails(status);
  if (options.json) printJson(io, actDocument(outcome));
  else printLines(io, operationLines(io.screen, details, (io.clock ?? systemClock).now()));
  if (isInterrupted && status.state === 'paused') {
    const { id } = status;
    note(io, leftLine(status, outcome.act));
    io.stderr(`To continue here: ${way}\n`);
    if (status.inBackground)
      note(io, `To let workers continue: ${commandText`redrive ops resume ${id}`}`);
    note(io, `To end it: ${commandText`redrive ops abort ${id}`}`);
    return EXIT.interrupted;
  }
  if (status.state !== 'running') {
    note(io, nextStep(details));
    return EXIT.partial;
  }
  note(io, goesOn(status.id, nextStep(details)));
  return options.detach ? EXIT.ok : EXIT.interrupted;
}

/** From this number of letters on, the command suggests a ramp. */
const MANY_LETTERS = 100;

interface Question {
  readonly plan: ActPlan;
  readonly terms: BulkTerms | undefined;
  readonly isCounted: boolean;
}

/** @throws CliError `refused` unless somebody who has seen the plan agrees. */
function askConsent(
  { io, options }: Invocation,
  outcome: ActOutcome,
  { plan, terms, isCounted }: Question,
): void {
  const confirmed = textOption(options, 'confirm')?.replaceAll(',', '');
  const isConfirmed = options.yes === true || (isCounted && confirmed === String(plan.eligible));
  if (!options.json) {
    const lines = planLines(io.errorScreen, outcome, isConfirmed ? 'will' : 'would');
    for (const line of lines) io.stderr(`${line}\n`);
  }
  if (isConfirmed) return;
  const cutOff = new Date(plan.cutOffMs).toISOString();
  const isHerd = terms === undefined && outcome.act === 'requeue' && plan.eligible > MANY_LETTERS;
  const ramp = isHerd
    ? ' With --ramp 1,10,100 it begins with one letter, and stops when too many jobs fail again.'
    : '';
  const ways = isCounted
    ? `Add --confirm=${plan.eligible} to go ahead, or --yes for any number`
    : `Add --yes to go ahead with any number, or --limit with at most ${MAX_PLANNED}, so that the letters can be counted and confirmed`;
  const hint = `${ways}; --until ${cutOff} selects the same letters.${ramp}`;
  const letters = `${isCounted ? '' : 'more than '}${counted(plan.eligible, 'dead letter')}`;
  const message =
    confirmed === undefined
      ? `Nothing was changed: ${letters} need your confirmation.`
      : `Nothing was changed: the filter matches ${letters}, not ${confirmed}.`;
  throw new CliError('refused', message, hint);
}

/** Whether the plan's number is that of all that would be acted on: a plan stops looking before a limit that is high. */
function hasSeenAll({ eligible, ineligible, more }: ActPlan, { target }: LetterWish): boolean {
  return !more || ('limit' in target && eligible + ineligible >= target.limit);
}

/** It may have done something: the next submission goes on from there. Unless the wish itself was refused. */
function withWayOn(error: unknown, way: string): never {
  const { exit, message } = describeError(error);
  if (exit === 'usage' || exit === 'refused' || exit === 'conflict') throw error;
  const hint = `If it has started, continue it with: ${way}`;
  throw new CliError(exit, message, hint, { cause: error });
}

/** A filter is kept with the operation, as it was meant then; ids and a payload are not, and are to be given again. */
function wayOn({ options, command }: Invocation, wish: LetterWish, operation: string): string {
  const option = commandText`--operation ${operation}`;
  if ('ids' in wish.target) return `the same command with ${option}`;
  const deadline = textOption(options, 'deadline');
  const rest = deadline === undefined ? '' : commandText` --deadline ${deadline}`;
  return `redrive ${command} ${option}${rest}`;
}

function finish({ io, options }: Invocation, outcome: ActOutcome): ExitCode {
  if (options.json) printJson(io, actDocument(outcome));
  else if (outcome.report === undefined) printLines(io, planLines(io.screen, outcome));
  else printLines(io, reportLines(io.screen, outcome));
  const [done, refused] = [doneOf(outcome), refusedOf(outcome)];
  if (refused === 0) return done > 0 || outcome.report ? EXIT.ok : EXIT.no_match;
  if (done > 0) return EXIT.partial;
  return outcome.refusals.every(({ refusal }) => refusal === 'not_found')
    ? EXIT.no_match
    : EXIT.conflict;
}

/** Until when what was thrown away can be taken back, as the configuration says. Unknown where that is broken. */
async function restorableUntil(
  invocation: Invocation,
  { updatedAtMs }: { readonly updatedAtMs: number },
): Promise<number | undefined> {
  try {
    const { retention } = jobsSettings(await loadConfig(invocation));
    return updatedAtMs + retention.purgedMs;
  } catch {
    return undefined;
  }
}
