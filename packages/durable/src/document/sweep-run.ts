import { isRedriveError, RedriveError } from '@redrive/core';
import { documentsIn, parsedObject, updateControl } from '../control/update-control.ts';
import { type DocumentPage, MAX_DOCUMENT_PAGE } from '../document-source/document-source.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { firstDocument } from '../schedule/resolve-schedule.ts';
import type { ScheduleDocument } from '../schedule/schedule.ts';
import { DOCUMENT_QUEUE } from './document-command.ts';
import type { Sweep } from './sweep.ts';
import {
  emptyReport,
  type SweepOptions,
  type SweepParts,
  type SweepReport,
  sweepDocuments,
} from './sweep-documents.ts';
import {
  isFailure,
  MOST_COUNTED,
  numbersIn,
  type RunCollection,
  type SweepNumbers,
  totalsAfter,
} from './sweep-numbers.ts';

/** The schedule of sweeps and its handler: one run sweeps all collections. Its document keeps the numbers. */
export const SWEEP_HANDLER = 'sweeps.run';

export interface RunParts extends SweepParts {
  readonly sweeps: readonly Sweep[];
  /** The time between two runs: a run ends after it, and the next one goes on from its cursor. */
  readonly intervalMs: number;
}

export interface RunOptions extends Pick<SweepOptions, 'limit' | 'dryRun' | 'signal'> {
  /** These are some of the configured collections: the gauges of others stay. Default `false`. */
  readonly isPartial?: boolean | undefined;
  /** Called after each page of a collection. */
  readonly onPage?: ((name: string, report: SweepReport) => void) | undefined;
  /** Called after each collection. */
  readonly onSwept?: ((name: string, swept: RunCollection) => void) | undefined;
}

export interface RunReport {
  /** `failure`: the sweep of at least one collection failed. The others were swept. */
  readonly status: 'success' | 'failure';
  readonly durationSeconds: number;
  readonly collections: ReadonlyMap<string, RunCollection>;
  /** Cumulative, after this run. */
  readonly numbers: SweepNumbers;
}

/** Kept from run to run in the schedule's document, for each collection. */
interface Position {
  /** Where an unfinished sweep goes on. */
  readonly after?: string | undefined;
  /** Documents that the last sweep sent, as many as fit. */
  readonly sample?: readonly string[] | undefined;
  /** After a stop: documents that the next sweep may send. Doubled by each sweep that sends that many. */
  readonly paced?: number | undefined;
  /** The last collection of its run that had time. */
  readonly isLast?: boolean | undefined;
}

const MOST_WITHOUT_INDEX = 10_000;
/** The oldest stuck document is looked for on these first pages. */
const OLDEST_PAGES = 20;
/** Every worker reads the document at every change. */
const MAX_SAMPLE_CHARS = 8_192;

/**
 * One run over the collections: sweeps each, counts what is stuck and failed, and adds the numbers to the schedule's
 * document. A collection that fails does not keep the others from being swept.
 *
 * @throws RedriveError `store_unavailable`: the numbers could not be read or written.
 */
export async function runSweeps(parts: RunParts, options: RunOptions = {}): Promise<RunReport> {
  const { store, clock, sweeps, intervalMs } = parts;
  const { dryRun = false, onSwept, signal } = options;
  const startedMs = clock.monotonic();
  const before = documentsIn(await store.controls(), 'schedule').get(SWEEP_HANDLER);
  const positions = positionsIn(before);
  const swept = new Map<string, RunCollection>();
  const kept: Record<string, Position> = {};
  let last: string | undefined;
  // The collections share the time: each run begins after the last one that had some, so that none starves.
  const first = sweeps.findIndex(({ name }) => positions[name]?.isLast) + 1;
  for (const sweep of [...sweeps.slice(first), ...sweeps.slice(0, first)]) {
    if (signal?.aborted) break;
    const timeLimitMs = intervalMs - (clock.monotonic() - startedMs);
    const { isLast: _, ...position } = positions[sweep.name] ?? {};
    const result = await sweepOne(parts, sweep, position, { ...options, timeLimitMs });
    swept.set(sweep.name, result);
    kept[sweep.name] = timeLimitMs > 0 ? positionAfter(position, result, options) : position;
    if (timeLimitMs > 0) last = sweep.name;
    onSwept?.(sweep.name, result);
  }
  if (last !== undefined) kept[last] = { ...kept[last], isLast: true };
  const durationSeconds = (clock.monotonic() - startedMs) / 1_000;
  const status = isFailure(swept) ? 'failure' : 'success';
  const report = { status, durationSeconds, collections: swept } as const;
  if (dryRun) return { ...report, numbers: numbersIn(before?.totals ?? {}) };
  const { after } = await updateControl(store, {
    of: 'schedule',
    key: SWEEP_HANDLER,
    next: (current, nowMs) => {
      // A run by hand may come before a worker that declares the schedule.
      const schedule = { handler: SWEEP_HANDLER, queue: DOCUMENT_QUEUE, everyMs: intervalMs };
      const document = current ?? firstDocument(SWEEP_HANDLER, schedule, nowMs);
      const known = options.isPartial ? undefined : sweeps.map(({ name }) => name);
      const totals = totalsAfter(document.totals, swept, durationSeconds, nowMs, known);
      const all = Object.entries({ ...positionsIn(current), ...kept });
      const position = JSON.stringify(
        Object.fromEntries(all.filter(([name]) => known?.includes(name) ?? true)),
      );
      return { ...document, totals, position };
    },
  });
  return { ...report, numbers: numbersIn(after?.totals ?? {}) };
}

/** The handler of the schedule. A failed run is counted and logged, not retried: the next tick goes on. */
export function sweepHandler(parts: RunParts): HandlerDefinition<undefined, { status: string }> {
  return {
    idempotent: true,
    run: async (_, { signal }) => ({ status: (await runSweeps(parts, { signal })).status }),
  };
}

async function sweepOne(
  parts: RunParts,
  sweep: Sweep,
  { after, sample = [], paced }: Position,
  options: RunOptions & { readonly timeLimitMs: number },
): Promise<RunCollection> {
  const { name, source, collection, thresholdMs } = sweep;
  // Filled as far as the sweep gets, so that an error loses no number and no place.
  const report = { ...emptyReport(), next: after };
  try {
    await checkIndexes(sweep);
    const share = await shareDone(sweep, sample);
    const { limit = paced } = options;
    const onPage = (swept: SweepReport) => options.onPage?.(name, swept);
    await sweepDocuments(parts, sweep, { ...options, after, share, limit, onPage }, report);
    const stuckSet = { set: 'stuck', olderThanMs: thresholdMs } as const;
    const stuck = await source.count(collection, stuckSet, MOST_COUNTED);
    const failed = await source.count(collection, { set: 'failed' }, MOST_COUNTED);
    const oldestStuckMs = stuck > 0 ? await oldestStuck(sweep) : undefined;
    return { report, stuck, failed, oldestStuckMs };
  } catch (error) {
    parts.notify({ kind: 'sweep_failed', collection: name, error });
    return { report, error, errorType: isRedriveError(error) ? error.code : 'unexpected' };
  }
}

/** Documents without an attempt come first; their time is that of their insertion, where it is known. */
async function oldestStuck({ source, collection, thresholdMs }: Sweep) {
  const times = { ...collection, fields: { ...collection.fields, read: [] } };
  const request = { set: 'stuck', olderThanMs: thresholdMs, limit: MAX_DOCUMENT_PAGE } as const;
  let [oldestMs, after]: [number, string | undefined] = [Infinity, undefined];
  for (let page = 0; page < OLDEST_PAGES; page += 1) {
    const { documents, next }: DocumentPage = await source.find(times, { ...request, after });
    const known = documents.map(({ timeMs, createdMs }) => timeMs ?? createdMs ?? Number.NaN);
    oldestMs = Math.min(oldestMs, ...known.filter(Number.isFinite));
    // Attempted documents are in the order of their times.
    const isAttempted = documents.some(({ timeMs }) => Number.isFinite(timeMs));
    if (isAttempted || next === undefined) break;
    after = next;
  }
  return oldestMs === Infinity ? undefined : oldestMs;
}

/** Without its indexes, each page of a large collection would read all of it. */
async function checkIndexes({ name, source, collection }: Sweep): Promise<void> {
  const missing = await source.prepare(collection, { dryRun: true });
  if (missing.length === 0) return;
  const count = await source.count(collection, { set: 'all' }, MOST_WITHOUT_INDEX + 1);
  if (count <= MOST_WITHOUT_INDEX) return;
  const message = `${name} has more than ${MOST_WITHOUT_INDEX} documents and lacks ${missing.join(', ')}. Run "redrive sweep init ${name}".`;
  throw new RedriveError('documents_refused', message, { collection: name, missing });
}

/** The share of the sample that is done. Removed documents say nothing. */
async function shareDone({ source, collection }: Sweep, sample: readonly string[]) {
  if (sample.length === 0) return 1;
  // Their statuses are enough: other fields may be large.
  const fields = { ...collection.fields, read: [] };
  const { documents } = await source.byIds({ ...collection, fields }, sample);
  const done = documents.filter(({ status }) => collection.done.includes(status));
  return documents.length === 0 ? 1 : done.length / documents.length;
}

function positionAfter(
  before: Position,
  { report, errorType }: RunCollection,
  { limit }: RunOptions,
): Position {
  const { requeued, stopped, next } = report;
  const longest = Math.max(1, ...report.sample.map(({ length }) => length));
  const fitting = report.sample.slice(0, Math.floor(MAX_SAMPLE_CHARS / longest));
  const sample = fitting.length === 0 ? before.sample : fitting;
  // The cursor may be of another source or type of id, which would be refused for ever.
  const after = errorType === 'documents_refused' ? undefined : next;
  if (stopped !== undefined) return { after, sample, paced: MAX_DOCUMENT_PAGE };
  // A limit by hand and an error say nothing about the pace.
  if (limit !== undefined || errorType !== undefined) return { after, sample, paced: before.paced };
  const isPaced = before.paced !== undefined && requeued >= before.paced;
  return { after, sample, paced: isPaced ? Number(before.paced) * 2 : undefined };
}

function positionsIn(document: ScheduleDocument | undefined): Record<string, Position> {
  // `runSweeps` alone writes it.
  return (parsedObject(document?.position ?? '{}') ?? {}) as Record<string, Position>;
}
