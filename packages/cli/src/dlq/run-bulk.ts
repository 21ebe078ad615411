import { isRedriveError, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import {
  type OperationReport,
  type OperationRequest,
  type OperationStatus,
  operationStatus,
  pauseOperation,
  resumeOperation,
  runOperation,
  submitOperation,
} from '@redrive/durable/control';
import { operationAnswer } from '@redrive/operate/texts';
import type { Invocation, Options } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { bulkWatch } from '../ops/bulk-watch.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, note } from '../terminal/io.ts';
import { parseRate } from '../terminal/parse-rate.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import type { LetterWish } from './act-output.ts';

/** The reason of a pause by Ctrl-C. The command that is run again ends such a pause, and no other one. */
const INTERRUPTED = 'stopped with Ctrl-C';

export interface BulkReport extends OperationReport {
  /** Ctrl-C has ended the command. The bulk operation is paused, unless another process carries it out. */
  readonly isInterrupted: boolean;
}

/**
 * Submits a bulk operation and, unless it is detached, carries it out here until its end. While another process carries
 * it out, this one only watches.
 */
export async function runBulk(
  { io, options }: Invocation,
  store: FullStore,
  wish: LetterWish,
  { id, terms }: { readonly id: string; readonly terms: BulkTerms | undefined },
): Promise<BulkReport> {
  const before = await operationStatus(store, id);
  if (before !== undefined && terms !== undefined) noteOtherTerms(io, before, terms);
  // Without options it is done at once: nobody asked for a ramp.
  const request = { ...wish, ...(terms ?? { ramp: false }), id };
  if (options.detach) {
    const submitted = await submitOperation(store, request);
    const status = (await operationStatus(store, id)) ?? submitted;
    const alreadyFinished = submitted.state === 'finished';
    return { status, refusals: [], alreadyFinished, isInterrupted: false };
  }
  const watch = bulkWatch(io, store);
  const clock = io.clock ?? systemClock;
  return untilStopped(io, async (signal) => {
    const stopping = 'Ctrl-C: it stops after this batch. Press it again to end at once.';
    signal.addEventListener('abort', () => note(io, stopping));
    const run = () =>
      runOperation(store, request, {
        ...{ clock, signal },
        onProgress: (status) => watch.update(operationAnswer(status)),
      });
    let report = await run();
    const { state, why } = report.status;
    if (state === 'paused' && why === INTERRUPTED && !signal.aborted) {
      await resumeOperation(store, { id, actor: wish.actor });
      report = await run();
    }
    if (!signal.aborted) return { ...report, isInterrupted: false };
    const status = await pauseHere(store, report.status, wish.actor.name);
    return { ...report, status, isInterrupted: true };
  }).finally(watch.end);
}

/** Workers would continue what the operator wants to stop. */
async function pauseHere(
  store: FullStore,
  status: OperationStatus,
  name: string,
): Promise<OperationStatus> {
  const { id, state, runner } = status;
  if (state !== 'running' || runner !== undefined) return status;
  try {
    return await pauseOperation(store, { id, actor: { name, why: INTERRUPTED } });
  } catch (error) {
    // It was finished or aborted in the meantime.
    if (!isRedriveError(error, 'operation_conflict')) throw error;
    return (await operationStatus(store, id)) ?? status;
  }
}

function noteOtherTerms(io: Io, status: OperationStatus, terms: BulkTerms): void {
  if (status.state === 'finished' || !status.inBackground) return;
  const others = otherTerms(status, terms);
  if (others.length === 0) return;
  const set = others.includes('--rate')
    ? ` ${commandText`redrive ops set-rate ${status.id}`} changes its rate.`
    : '';
  io.stderr(
    `It was started before with another ${others.join(', ')}, which stays in force.${set}\n`,
  );
}

/** Options that it was started without, or with another value. */
function otherTerms(status: OperationStatus, terms: BulkTerms): string[] {
  const { ratePerSecond, ramp, stopShare, maxInFlight } = terms;
  const stages = status.ramp?.stages.join() ?? '';
  const pairs: [option: string, wanted: unknown, is: unknown][] = [
    ['--rate', ratePerSecond, status.ratePerSecond],
    ['--ramp', ramp === false ? '' : ramp?.join(), stages],
    ['--stop-on-failure-ratio', status.ramp && stopShare, status.ramp?.stopShare],
    ['--max-in-flight', maxInFlight, status.maxInFlight],
  ];
  return pairs
    .filter(([, wanted, is]) => wanted !== undefined && wanted !== is)
    .map(([option]) => option);
}

/** The options of a bulk operation. */
export type BulkTerms = Pick<
  OperationRequest,
  'ratePerSecond' | 'ramp' | 'stopShare' | 'maxInFlight'
>;

/** Absent: none is given, and all letters are acted on at once. @throws CliError with the exit code 2. */
export function bulkTerms(options: Options): BulkTerms | undefined {
  const rate = textOption(options, 'rate');
  const ramp = textOption(options, 'ramp');
  const share = textOption(options, 'stopOnFailureRatio');
  const maxInFlight = integerOption(options, 'maxInFlight', { min: 1, max: 2_000 });
  const isSaid = [rate, ramp, share, maxInFlight].some((value) => value !== undefined);
  if (!isSaid && options.detach !== true) return undefined;
  return {
    ratePerSecond: rate === undefined ? undefined : parseRate(rate, '--rate'),
    ramp: ramp === undefined ? undefined : stagesOf(ramp),
    stopShare: share === undefined ? undefined : shareOf(share),
    maxInFlight,
  };
}

function stagesOf(text: string): readonly number[] | false {
  if (text === 'none') return false;
  if (/^\d{1,4}(,\d{1,4}){0,9}$/.test(text)) return text.split(',').map(Number);
  const hint = 'Write the sizes of its stages, such as 1,10,100, or none.';
  throw new CliError('usage', `--ramp is not a ramp: ${text}`, hint);
}

function shareOf(text: string): number {
  const share = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  const hint = 'Write it as 0.2: a fifth of a stage.';
  throw new CliError('usage', `--stop-on-failure-ratio is not a share: ${text}`, hint);
}
