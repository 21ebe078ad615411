import { newId, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { ACTIONS, AnswerOf, Progress } from '@redrive/operate';
import { isRefusal } from '@redrive/operate/manifest';
import { INTERRUPTED } from '@redrive/operate/texts';
import type { Place } from '../action/place.ts';
import { inputOf, inWords, placeOf } from '../action/run-action.ts';
import type { Sugar } from '../action/sugar.ts';
import { verdictOf } from '../action/verdict.ts';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { bulkWatch } from '../ops/bulk-watch.ts';
import { nextStep, operationLines, stopText } from '../ops/operation-lines.ts';
import { goesOn } from '../ops/operations.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { describeError } from '../terminal/report-error.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { type BulkAnswer, leftLine, planLines, reportLines } from './act-output.ts';

type Shown = AnswerOf<typeof ACTIONS.operations.show>;
type Input = Readonly<Record<string, unknown>>;

/** A command that carries out a bulk operation. */
export function bulkCommand(sugar: Sugar): RunCommand {
  return (invocation) => runBulk(sugar, invocation, inputOf(sugar, sugar.action, invocation), 'id');
}

/**
 * Submits a bulk operation and, unless it is detached, follows it to its end. A store carries it out in this process; a
 * server for two seconds per request.
 *
 * @param idField the field of the input that has the id of the operation.
 */
export async function runBulk(
  sugar: Sugar,
  invocation: Invocation,
  given: Input,
  idField: 'id' | 'operation',
): Promise<ExitCode> {
  const { io, options } = invocation;
  const isDry = options.dryRun === true;
  // Known before it is sent: after a lost answer the same id continues it.
  const id =
    textOption(options, 'operation') ?? (isDry ? undefined : newId('op', io.clock ?? systemClock));
  const input = { ...given, [idField]: id };
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation, input));
  const run = async (stopped: AbortSignal) => {
    const answer = await follow(sugar, invocation, { place, input, idField, stopped });
    return finish(sugar, invocation, { place, answer, stopped });
  };
  try {
    if (isDry) return await run(new AbortController().signal);
    return await untilStopped(io, (signal) => {
      const stopping = 'Ctrl-C: it stops after this batch. Press it again to end at once.';
      signal.addEventListener('abort', () => note(io, stopping));
      return run(signal);
    });
  } finally {
    await place.close();
  }
}

interface Following {
  readonly place: Place;
  readonly input: Input;
  readonly idField: 'id' | 'operation';
  readonly stopped: AbortSignal;
}

async function follow(
  sugar: Sugar,
  invocation: Invocation,
  { place, input, idField, stopped }: Following,
): Promise<BulkAnswer> {
  const { io, options } = invocation;
  const watch = bulkWatch(io, async (id) => (await show(place, id)).stopped_by);
  let isBegun = false;
  const progress: Progress = {
    begun(answer) {
      if (isBegun) return;
      isBegun = true;
      if (!options.json) sayBegun(io, answer);
    },
    status: watch.update,
  };
  let first: BulkAnswer | undefined;
  let next: Input | undefined;
  try {
    for (;;) {
      const call = { progress, signal: stopped, ...(next && { input: next }) };
      const ran = await inWords(sugar, () => place.run(call));
      const answer = Object(ran.answer) as BulkAnswer; // Of this action.
      if (answer.status !== null) {
        progress.begun(answer);
        progress.status(answer.status);
      }
      first = first === undefined ? answer : joined(first, answer);
      if (answer.state !== 'running' || options.detach || stopped.aborted) return first;
      const { act, ids, purge, deadline, wait, dry_run } = input;
      next = idField === 'id' ? { act, ids, purge, deadline, wait, dry_run, id: input.id } : input;
    }
  } catch (error) {
    watch.end();
    if (isRefusal(error) && error.plan !== undefined && !options.json) {
      // The plan of such a refusal.
      const { act, ...plan } = error.plan as NonNullable<BulkAnswer['plan']> & { act: string };
      for (const line of planLines(io.errorScreen, act, plan)) io.stderr(`${line}\n`);
    }
    throw withWayOn(error, invocation, String(input[idField]), isBegun);
  } finally {
    watch.end();
  }
}

/** The plan and the refusals of the requests before, and the newest state. */
function joined(first: BulkAnswer, newest: BulkAnswer): BulkAnswer {
  const { plan, more, cut_off, already_done, stopped_by, without_stages } = first;
  const refusals = [...first.refusals, ...newest.refusals].slice(0, 100);
  return {
    ...newest,
    ...{ plan, more, cut_off, already_done, stopped_by, without_stages, refusals },
  };
}

function sayBegun(io: Invocation['io'], answer: Omit<BulkAnswer, 'dry_run'>): void {
  const { act, plan, operation, stopped_by: stops, without_stages: hasNoStages } = answer;
  if (plan !== null) {
    for (const line of planLines(io.errorScreen, act, plan, 'will')) io.stderr(`${line}\n`);
  }
  note(io, `Bulk operation ${printable(operation ?? '')}`);
  if (hasNoStages)
    note(io, 'No live worker has a handler of theirs: they are requeued without stages');
  // A plan has named them.
  if (plan === null) for (const stop of stops) note(io, `They wait: ${stopText(stop)}`);
}

async function show(place: Place, id: string): Promise<Shown> {
  const { answer } = await place.run({ name: 'operations.show', input: { id } });
  return Object(answer) as Shown; // Of this action.
}

interface Ended {
  readonly place: Place;
  readonly answer: BulkAnswer;
  readonly stopped: AbortSignal;
}

async function finish(sugar: Sugar, invocation: Invocation, ended: Ended): Promise<ExitCode> {
  const { io, options } = invocation;
  const answer = ended.stopped.aborted ? await pausedHere(ended) : ended.answer;
  if (options.json) printJson(io, answer);
  const { status, state, act } = answer;
  if (status === null || state === 'finished') {
    const lines =
      status === null ? planLines(io.screen, act, answer.plan) : reportLines(io.screen, answer);
    if (!options.json) printLines(io, lines);
    return EXIT[await verdictOf(sugar.action, answer)];
  }
  if (!options.json) {
    printLines(io, operationLines(io.screen, status, (io.clock ?? systemClock).now()));
  }
  const { id } = status;
  if (ended.stopped.aborted && state === 'paused') {
    note(io, leftLine(status));
    io.stderr(`To continue here: ${wayOn(invocation, id)}\n`);
    if (status.in_background)
      note(io, `To let workers continue: ${commandText`redrive ops resume ${id}`}`);
    note(io, `To end it: ${commandText`redrive ops abort ${id}`}`);
    return EXIT.interrupted;
  }
  if (state !== 'running') {
    note(io, nextStep(status));
    return EXIT.partial;
  }
  note(io, goesOn(id, nextStep(status)));
  return options.detach ? EXIT.ok : EXIT.interrupted;
}

/** After Ctrl-C: workers would continue what the operator wants to stop. */
async function pausedHere({ place, answer }: Ended): Promise<BulkAnswer> {
  const { status } = answer;
  if (status?.state !== 'running' || status.runner !== null) return answer;
  const input = { id: status.id, dry_run: false };
  try {
    const { answer: paused } = await place.run({
      ...{ name: 'operations.pause', input, reason: INTERRUPTED },
    });
    const { changed: _, dry_run: __, ...after } = Object(paused);
    return { ...answer, state: after.state, status: after };
  } catch (error) {
    if (describeError(error).exit !== 'conflict') throw error;
    // It was finished or aborted in the meantime.
    const { stopped_by: _, ...after } = await show(place, status.id);
    return { ...answer, finished: after.state === 'finished', state: after.state, status: after };
  }
}

/** It may have done something: the next submission continues it. Unless the wish itself was refused. */
function withWayOn(error: unknown, invocation: Invocation, id: string, isBegun: boolean): unknown {
  const { exit, message, hint } = describeError(error);
  if (exit === 'usage' || exit === 'refused' || exit === 'conflict') return error;
  // A lost answer of a server.
  if (!isBegun && (exit !== 'unreachable' || hint !== undefined)) return error;
  const way = `If it has started, continue it with: ${wayOn(invocation, id)}`;
  return new CliError(exit, message, way, { cause: error });
}

/** A filter is stored with the operation, as it was meant then; ids and a payload are not, and must be given again. */
function wayOn({ args, options, command }: Invocation, operation: string): string {
  const option = commandText`--operation ${operation}`;
  if (args.length > 0 || options.purge !== undefined) return `the same command with ${option}`;
  const deadline = textOption(options, 'deadline');
  const rest = deadline === undefined ? '' : commandText` --deadline ${deadline}`;
  return `redrive ${command} ${option}${rest}`;
}
