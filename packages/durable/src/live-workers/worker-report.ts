import { refuse } from '@redrive/core/fields';
import { textProblem } from '../jobs/text-problem.ts';
import { checkLimit } from '../store/page.ts';
import type { StoredWorker, WorkerPage, WorkerPageRequest, WorkerReport } from './worker-store.ts';

// The rules for reports of workers that all stores share.

/** A worker reports itself this often. */
export const REPORT_EVERY_MS = 10_000;
/** A worker that has not reported for this long is gone: five reports may fail. */
export const GONE_AFTER_MS = 60_000;
/** A worker that is gone is listed for this long: after a crash at night people ask in the morning which one it was. */
export const WORKER_KEPT_MS = 86_400_000;
/** A first report deletes no more than this, so that it stays small after a day of crashes. */
export const MAX_DELETED_WORKERS = 1_000;

const MAX_WORKER_NAME = 300;
const MAX_HOST = 253;
const MAX_VERSION = 100;
const MAX_NAMES = 1_000;
const MAX_NAMES_LENGTH = 32_768;
const MAX_STALLED = 10;

/** The columns of a worker: those that every report changes, and as JSON those that few do. */
export interface EncodedReport {
  readonly name: string;
  readonly running: number;
  readonly isStopping: boolean;
  readonly facts: string;
}

type Facts = Omit<StoredWorker, 'name' | 'running' | 'state' | 'sinceMs' | 'seenAtMs'>;

/** @throws RedriveError `invalid_option`. */
export function encodeReport(report: WorkerReport): EncodedReport {
  const { name, running, state, host, pid, version, concurrency, stalled = [] } = report;
  const problem = textProblem('name', name, MAX_WORKER_NAME);
  refuse('invalid_option', 'worker report', problem === undefined ? [] : [problem]);
  const handlers = bounded(report.handlers);
  const queues = bounded(report.queues ?? []);
  const facts: Facts = {
    host: host.slice(0, MAX_HOST),
    pid,
    version: version.slice(0, MAX_VERSION),
    concurrency,
    handlers: handlers.names,
    moreHandlers: handlers.more,
    queues: report.queues && queues.names,
    moreQueues: queues.more,
    stalled: stalled.slice(0, MAX_STALLED),
    moreStalled: Math.max(0, stalled.length - MAX_STALLED),
  };
  return { name, running, isStopping: state === 'stopping', facts: JSON.stringify(facts) };
}

function bounded(all: readonly string[]): { names: readonly string[]; more: number } {
  let length = 0;
  let kept = 0;
  for (const name of all) {
    length += name.length;
    if (kept === MAX_NAMES || length > MAX_NAMES_LENGTH) break;
    kept += 1;
  }
  return { names: all.slice(0, kept), more: all.length - kept };
}

export interface WorkerColumns extends EncodedReport {
  readonly sinceMs: number;
  readonly seenAtMs: number;
}

export function decodeWorker(columns: WorkerColumns): StoredWorker {
  const { name, running, isStopping, facts, sinceMs, seenAtMs } = columns;
  const state = isStopping ? 'stopping' : 'working';
  return { ...readFacts(facts), name, running, state, sinceMs, seenAtMs };
}

const UNKNOWN: Facts = {
  host: '',
  pid: 0,
  version: '',
  concurrency: 0,
  handlers: [],
  moreHandlers: 0,
  moreQueues: 0,
  stalled: [],
  moreStalled: 0,
};

/** A row that cannot be read shows less, and stops no list. */
function readFacts(text: string): Facts {
  try {
    // Written by `encodeReport`.
    return { ...UNKNOWN, ...(JSON.parse(text) as Partial<Facts>) };
  } catch {
    return UNKNOWN;
  }
}

/** The bounds of a page: `seenAfterMs` is the oldest time at which its workers were seen. */
export function workerBounds(
  { limit, after = '', seenWithinMs = Infinity }: WorkerPageRequest,
  nowMs: number,
) {
  checkLimit('limit', limit);
  // No name is before the empty one, and no time before 0.
  return { after, take: limit + 1, seenFromMs: Math.max(0, nowMs - seenWithinMs) };
}

/** The page of a list that has one more than `limit`, where there are more. */
export function workerPage(
  found: readonly StoredWorker[],
  limit: number,
  nowMs: number,
): WorkerPage {
  const workers = found.slice(0, limit);
  return { nowMs, workers, next: found.length > limit ? workers.at(-1)?.name : undefined };
}
