import { isRedriveError, RedriveError } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { Controls } from '../control/control-store.ts';
import { documentsIn, parsedObject, updateControl } from '../control/update-control.ts';
import {
  type CountRequest,
  MAX_DOCUMENT_PAGE,
  type StoredDocument,
} from '../document-source/document-source.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { firstDocument } from '../schedule/resolve-schedule.ts';
import type { ScheduleDocument } from '../schedule/schedule.ts';
import { backoffFactor } from './decide-document.ts';
import { CLAIM_LEASE_MS } from './next-step.ts';
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
  SWEEP_HANDLER,
  type SweepNumbers,
  sweepSchedule,
  totalsAfter,
} from './sweep-numbers.ts';

export interface RunParts extends SweepParts {
  readonly sweeps: readonly Sweep[];
  /** The time between two runs: a run ends after it, and the next one goes on from its cursor. */
  readonly intervalMs: number;
}

export interface RunOptions extends Pick<SweepOptions, 'limit' | 'dryRun' | 'signal'> {
  /** These are some of the configured collections: the gauges of others stay. Default `false`. */
  readonly isPartial?: boolean | undefined;
  /**
   * Carries out the jobs that send the events, before the documents of the collection are counted. Default: workers do.
   *
   * @param ids of jobs whose events wait to be sent.
   */
  readonly send?: ((name: string, ids: readonly string[]) => Promise<void>) | undefined;
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
  /** Documents that a sweep claimed at this time of their database, as many as fit, until their events had time. */
  readonly sample?: { readonly ids: readonly string[]; readonly atMs: number } | undefined;
  /** The last sample whose events had time to be processed. */
  readonly judged?: readonly string[] | undefined;
  /** After a stop: documents that the next sweep may claim. Doubled by each sweep that claims that many. */
  readonly paced?: number | undefined;
  /** The last collection of its run that had time. */
  readonly isLast?: boolean | undefined;
}

const MOST_WITHOUT_INDEX = 10_000;
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
    const one = await sweepOne(parts, sweep, position, { ...options, timeLimitMs });
    const { result } = one;
    swept.set(sweep.name, result);
    kept[sweep.name] = timeLimitMs > 0 ? one.position : position;
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
      const document = current ?? firstDocument(SWEEP_HANDLER, sweepSchedule(intervalMs), nowMs);
      const known = options.isPartial ? undefined : sweeps.map(({ name }) => name);
      const totals = totalsAfter(document.totals, swept, durationSeconds, nowMs, known);
      const all = Object.entries({ ...positionsIn(current), ...kept });
      const position = JSON.stringify(
        Object.fromEntries(all.filter(([name]) => known?.includes(name) ?? true)),
      );
      // A worker that starts later need not make up for ticks before this run.
      const cursorMs = known === undefined ? document.cursorMs : nowMs;
      return { ...document, cursorMs: Math.max(document.cursorMs, cursorMs), totals, position };
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

/** See `backoffFactor`: the share of the next sweep, if it began now. */
export async function backoffShare(controls: Controls, sweep: Sweep): Promise<number> {
  if (!sweep.dynamicBackoff) return 1;
  const document = documentsIn(controls, 'schedule').get(SWEEP_HANDLER);
  return (await judge(sweep, positionsIn(document)[sweep.name] ?? {})).share;
}

/**
 * The share of the events that are done, of the last sample that had time to be processed: as long as a document may take
 * before it is stuck.
 */
async function judge({ source, collection, thresholdMs, dynamicBackoff }: Sweep, before: Position) {
  const { sample, judged, ...rest } = before;
  // Their statuses are enough: other fields may be large.
  const own = { ...collection, fields: { ...collection.fields, read: [] } };
  const { nowMs } = await source.byIds(own, []);
  if (!dynamicBackoff) return { nowMs, share: 1, position: rest };
  const hadTime = sample !== undefined && sample.atMs + thresholdMs <= nowMs;
  const ids = hadTime ? sample.ids : (judged ?? []);
  const position: Position = { ...rest, ...(hadTime ? {} : { sample }), judged: ids };
  const { documents } = await source.byIds(own, ids);
  const isDone = ({ status }: StoredDocument) => collection.done.includes(status);
  // Events that wait for the broker or were sent again, and removed documents, say nothing.
  const known = documents.filter((document) => {
    const { mark, timeMs } = document;
    return isDone(document) || (mark?.sent === true && Number(timeMs) + thresholdMs <= nowMs);
  });
  const share = known.length === 0 ? 1 : known.filter(isDone).length / known.length;
  return { nowMs, share, position };
}

interface Swept {
  readonly result: RunCollection;
  readonly position: Position;
}

async function sweepOne(
  parts: RunParts,
  sweep: Sweep,
  before: Position,
  options: RunOptions & { readonly timeLimitMs: number },
): Promise<Swept> {
  const { name, source, collection } = sweep;
  const { send, dryRun } = options;
  // Filled as far as the sweep gets, so that an error loses no number and no place.
  const report = { ...emptyReport(), next: before.after };
  let position = before;
  const swept = (result: RunCollection): Swept => {
    return { result, position: positionAfter(position, result, options) };
  };
  try {
    await checkIndexes(sweep);
    const { nowMs, share, ...judged } = await judge(sweep, before);
    position = judged.position;
    const { limit = position.paced } = options;
    const waiting: string[] = [];
    await sweepDocuments(
      parts,
      sweep,
      {
        ...{ ...options, after: position.after, share, limit },
        onPage: (page) => options.onPage?.(name, page),
        onWaiting: (ids) => send && waiting.push(...ids),
      },
      report,
    );
    if (sweep.dynamicBackoff && position.sample === undefined && report.sample.length > 0)
      position = { ...position, sample: { ids: fitting(report.sample), atMs: nowMs } };
    if (waiting.length > 0 && !dryRun) await send?.(name, waiting);
    const count = (set: CountRequest) => source.count(collection, set, MOST_COUNTED);
    const stuck = await count({ set: 'stuck' });
    const failed = await count({ set: 'failed' });
    // Jobs that workers have just got do not wait.
    const olderThanMs = send === undefined ? CLAIM_LEASE_MS : 0;
    const unsent = await count({ set: 'unsent', olderThanMs });
    const oldestStuckMs = stuck > 0 ? await oldestStuck(sweep) : undefined;
    const factor = backoffFactor(share);
    return swept({ report, stuck, failed, waiting: unsent, oldestStuckMs, factor });
  } catch (error) {
    parts.notify({ kind: 'sweep_failed', collection: name, error });
    return swept({ report, error, errorType: isRedriveError(error) ? error.code : 'unexpected' });
  }
}

/** The first one is stuck for the longest time. */
async function oldestStuck({ source, collection }: Sweep): Promise<number | undefined> {
  const times = { ...collection, fields: { ...collection.fields, read: [] } };
  const { documents } = await source.find(times, { set: 'stuck', limit: 1 });
  return documents[0]?.firstStuckMs;
}

/** Without its indexes, each page of a large collection would read all of it. */
async function checkIndexes({ name, source, collection }: Sweep): Promise<void> {
  const missing = await source.prepare(collection, { dryRun: true });
  if (missing.length === 0) return;
  const count = await source.count(collection, { set: 'all' }, MOST_WITHOUT_INDEX + 1);
  if (count <= MOST_WITHOUT_INDEX) return;
  const message = `${name} has more than ${MOST_WITHOUT_INDEX} documents and lacks ${missing.join(', ')}. Run "${commandText`redrive sweep init ${name}`}".`;
  throw new RedriveError('documents_refused', message, { collection: name, missing });
}

/** Every worker reads the document at every change. */
function fitting(sample: readonly string[]): readonly string[] {
  const longest = Math.max(1, ...sample.map(({ length }) => length));
  return sample.slice(0, Math.floor(MAX_SAMPLE_CHARS / longest));
}

function positionAfter(
  { paced, ...before }: Position,
  { report, errorType }: RunCollection,
  { limit }: RunOptions,
): Position {
  const { claimed, stopped, next } = report;
  // The cursor may be of another source or type of id, which would be refused for ever.
  const after = errorType === 'documents_refused' ? undefined : next;
  if (stopped !== undefined) return { ...before, after, paced: MAX_DOCUMENT_PAGE };
  // A limit by hand and an error say nothing about the pace.
  if (limit !== undefined || errorType !== undefined) return { ...before, after, paced };
  const isPaced = paced !== undefined && claimed >= paced;
  return { ...before, after, paced: isPaced ? Number(paced) * 2 : undefined };
}

function positionsIn(document: ScheduleDocument | undefined): Record<string, Position> {
  // `runSweeps` alone writes it.
  return (parsedObject(document?.position ?? '{}') ?? {}) as Record<string, Position>;
}
