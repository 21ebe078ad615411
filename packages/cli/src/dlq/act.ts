import { newId, systemClock } from '@redrive/core';
import { type ActPlan, type ActWish, planActs, runActs } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { parseMoment } from '../terminal/parse-time.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import {
  type ActOutcome,
  actDocument,
  doneOf,
  planLines,
  refusedOf,
  reportLines,
} from './act-output.ts';
import { type Aim, actTarget } from './act-target.ts';
import { lettersText } from './act-words.ts';
import { refusalNotes } from './refusal-notes.ts';
import { restorableUntil } from './restorable-until.ts';

/** `redrive dlq requeue` */
export const runDlqRequeue: RunCommand = (invocation) => actOnLetters(invocation, 'requeue');
/** `redrive dlq reset` */
export const runDlqReset: RunCommand = (invocation) => actOnLetters(invocation, 'reset');
/** `redrive dlq purge` */
export const runDlqPurge: RunCommand = (invocation) => actOnLetters(invocation, 'purge');
/** `redrive dlq restore` */
export const runDlqRestore: RunCommand = (invocation) => actOnLetters(invocation, 'restore');

function actOnLetters(invocation: Invocation, act: ActWish['act']): Promise<ExitCode> {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const text = textOption(options, 'deadline');
  const deadline = text === undefined ? undefined : parseMoment(text, '--deadline');
  return withStore(invocation, async (store) => {
    const aim = await actTarget(invocation, store, act, nowMs);
    const wish: ActWish = { act, target: aim.target, deadline, actor: actorOf(options) };
    return carryOut(invocation, store, wish, aim);
  });
}

/** Shows the plan where one is wanted, does it, and says what came of it. */
export async function carryOut(
  invocation: Invocation,
  store: FullStore,
  wish: ActWish,
  { needsConsent }: Pick<Aim, 'needsConsent'>,
): Promise<ExitCode> {
  const { io, options } = invocation;
  const { act } = wish;
  const dry = options.dryRun === true;
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
  if (plan !== undefined && needsConsent) askConsent(invocation, planned, plan);
  const outcome = await run(invocation, store, wish, planned);
  const code = finish(invocation, outcome);
  if (outcome.report?.operation.state === 'finished') return code;
  io.stderr(`To go on: ${wayOn(invocation, wish, outcome.operation ?? '')}\n`);
  return EXIT.interrupted;
}

/** @throws CliError `refused` unless somebody who has seen the plan agrees. */
function askConsent({ io, options }: Invocation, outcome: ActOutcome, plan: ActPlan): void {
  if (!options.json) {
    for (const line of planLines(io.errorScreen, outcome)) io.stderr(`${line}\n`);
  }
  if (options.yes) return;
  const confirmed = textOption(options, 'confirm')?.replaceAll(',', '');
  if (confirmed === String(plan.eligible)) return;
  const cutOff = new Date(plan.cutOffMs).toISOString();
  const hint = `Add --confirm=${plan.eligible} to go ahead, or --yes whatever the number; --until ${cutOff} keeps to the same letters.`;
  const message =
    confirmed === undefined
      ? `Nothing was done: ${lettersText(plan.eligible)} at once want your consent.`
      : `Nothing was done: it would be ${lettersText(plan.eligible)}, not ${confirmed}.`;
  throw new CliError('refused', message, hint);
}

/** A filter is kept with the operation, as it was meant then; ids and a payload are not, and are to be given again. */
function wayOn({ options, command }: Invocation, wish: ActWish, operation: string): string {
  const option = `--operation ${printable(operation)}`;
  if ('ids' in wish.target) return `the same command with ${option}`;
  const deadline = textOption(options, 'deadline');
  const rest = deadline === undefined ? '' : ` --deadline ${printable(deadline)}`;
  return `redrive ${command} ${option}${rest}`;
}

async function run(
  invocation: Invocation,
  store: FullStore,
  wish: ActWish,
  planned: ActOutcome,
): Promise<ActOutcome> {
  const { io, options, command } = invocation;
  const { plan, act } = planned;
  const operation = planned.operation ?? newId('op', io.clock ?? systemClock);
  if (!options.json) io.stderr(`Operation ${printable(operation)}\n`);
  const total = 'ids' in wish.target ? wish.target.ids.length : totalOf(plan);
  const shown = progress(io, 'dead letters');
  const stop = new AbortController();
  const release = io.takeSignals(() => stop.abort());
  try {
    const report = await runActs(store, {
      ...wish,
      id: operation,
      signal: stop.signal,
      onProgress: ({ acted, refused }) =>
        shown.update(acted + refused, total && (acted + refused) / total),
    });
    const refusals = await refusalNotes(store, report.refusals);
    const restorableUntilMs =
      act === 'purge'
        ? await restorableUntil({ io, options, command, args: [] }, report)
        : undefined;
    return { ...planned, operation, report, refusals, restorableUntilMs };
  } catch (error) {
    // It may have done something: the next submission goes on from there.
    if (!options.json) {
      io.stderr(`If it has begun, go on with: ${wayOn(invocation, wish, operation)}\n`);
    }
    throw error;
  } finally {
    shown.end();
    release();
  }
}

/** How many it will be, where the plan has seen all. */
function totalOf(plan: ActPlan | undefined): number | undefined {
  return plan === undefined || plan.more ? undefined : plan.eligible + plan.ineligible;
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
