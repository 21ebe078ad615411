import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type OperationReport,
  type OperationStatus,
  operationStatus,
  runOperation,
  submitOperation,
} from '@redrive/durable/control';
import type { Invocation } from '../command/command-spec.ts';
import { bulkWatch } from '../ops/bulk-watch.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { untilStopped } from '../terminal/signals.ts';
import type { LetterWish } from './act-output.ts';
import type { BulkTerms } from './bulk-options.ts';

/**
 * Submits a bulk operation and, unless it is detached, carries it out here until its end. While another process carries
 * it out, this one only watches.
 */
export async function runBulk(
  { io, options }: Invocation,
  store: FullStore,
  wish: LetterWish,
  { id, terms }: { readonly id: string; readonly terms: BulkTerms | undefined },
): Promise<OperationReport> {
  const before = await operationStatus(store, id);
  if (before !== undefined && terms !== undefined) noteOtherTerms(io, before, terms);
  // Without options it is done at once: nobody asked for a ramp.
  const request = { ...wish, ...(terms ?? { ramp: false }), id };
  if (options.detach) {
    const submitted = await submitOperation(store, request);
    const status = (await operationStatus(store, id)) ?? submitted;
    return { status, refusals: [], alreadyFinished: submitted.state === 'finished' };
  }
  const watch = bulkWatch(io, store);
  const clock = io.clock ?? systemClock;
  return untilStopped(io, (signal) =>
    runOperation(store, request, { clock, signal, onProgress: watch.update }),
  ).finally(watch.end);
}

function noteOtherTerms(io: Io, status: OperationStatus, terms: BulkTerms): void {
  if (status.state === 'finished' || !status.inBackground) return;
  const others = otherTerms(status, terms);
  if (others.length === 0) return;
  const set = others.includes('--rate')
    ? ` redrive ops set-rate ${printable(status.id)} changes its rate.`
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
