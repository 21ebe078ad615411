import { systemClock } from '@redrive/core';
import {
  carryOutOperation,
  type OperationStatus,
  operationStatus,
  submitOperation,
} from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { statusLine } from '../ops/status-line.ts';
import { printable } from '../terminal/printable.ts';
import type { LetterWish } from './act-words.ts';
import type { CourseTerms } from './course-options.ts';

/** What became of an act that workers carry out as well. */
export interface CourseReport {
  readonly status: OperationStatus;
  /** It was finished before. */
  readonly alreadyFinished: boolean;
}

/**
 * Submits an act and, unless nobody wants to wait, carries it out here until its end; where a worker is at it already,
 * it only watches.
 */
export async function runCourse(
  { io, options }: Invocation,
  store: FullStore,
  wish: LetterWish,
  { id, terms }: { readonly id: string; readonly terms: CourseTerms },
): Promise<CourseReport> {
  const submitted = await submitOperation(store, { ...wish, ...terms, id });
  const alreadyFinished = submitted.state === 'finished';
  const others = alreadyFinished ? [] : otherTerms(submitted, terms);
  if (others.length > 0) {
    const set = others.includes('--rate')
      ? ` redrive ops set-rate ${printable(id)} changes its rate.`
      : '';
    io.stderr(
      `It was started before with another ${others.join(', ')}, which stays in force.${set}\n`,
    );
  }
  if (alreadyFinished || options.detach) {
    return { status: (await operationStatus(store, id)) ?? submitted, alreadyFinished };
  }
  const shown = statusLine(io);
  const stop = new AbortController();
  const release = io.takeSignals(() => stop.abort());
  try {
    const status = await carryOutOperation(store, id, {
      clock: io.clock ?? systemClock,
      signal: stop.signal,
      onProgress: shown.update,
    });
    return { status, alreadyFinished };
  } finally {
    shown.end();
    release();
  }
}

/** Options that an operation was begun without, or with another value of. */
function otherTerms(status: OperationStatus, terms: CourseTerms): string[] {
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

/** Whether an operation that was begun has a course: then nobody goes past its rate and its ramp. */
export async function hasCourse(store: FullStore, id: string | undefined): Promise<boolean> {
  if (id === undefined) return false;
  const { all } = await store.controls();
  return all.some(({ kind, key }) => kind === 'operation' && key === id);
}
