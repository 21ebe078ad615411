import { causeName } from '../control/parked-cause.ts';
import type { SourceReport } from '../control/source-reports.ts';
import type { Failure } from '../failing/group-failures.ts';
import { hasWorkerForParked } from '../live-workers/handlers-without-worker.ts';
import type { WorkerStatus } from '../live-workers/list-workers.ts';
import { breakerJson, breakerViews, gateJson, gateViews, parkJson } from './control-json.ts';
import { nextCommand } from './failure-text.ts';
import { countStates, handlersOf } from './job-counts.ts';
import { concernedBy, killDocument, pauseDocument } from './kill-document.ts';
import { problemsOf, verdictOf } from './problems.ts';
import { missingWorkers, type Status } from './status.ts';
import { isoTime } from './times.ts';

const MAX_WORKERS = 1_000;

/** The whole of `status` as one document. */
export function statusJson(status: Status) {
  const { store, counts, failing, dead } = status;
  const hasWorker = hasWorkerForParked(counts, status.live);
  const control = { ...status.control, hasWorker };
  const problems = problemsOf(status);
  return {
    store,
    time: isoTime(counts.nowMs),
    ok: problems.length === 0,
    verdict: verdictOf(status, problems),
    problems,
    failing: failing.failures.map(failureJson),
    failing_sampled: failing.sampled,
    failing_more: failing.more,
    kill_switches: control.killSwitches.map((each) => ({
      ...killDocument(each),
      ...concernedBy(each, counts),
    })),
    paused: control.pauses.map(pauseDocument),
    breakers: breakerViews(control)
      .filter(({ state, forced }) => state !== 'closed' || forced !== undefined)
      .map((view) => breakerJson(view, control.nowMs)),
    gates: gateViews(control).map(gateJson),
    parked: control.parked.map((park) => parkJson(park, hasWorker)),
    workers: status.live.workers.slice(0, MAX_WORKERS).map(workerJson),
    without_worker: missingWorkers(status),
    sources: [...status.sources].map(sourceJson),
    dead: { count: dead.count, bounded: dead.bounded, newest_died_at: isoTime(dead.newestMs) },
    states: countStates(counts),
    bounded: counts.bounded,
    oldest_ready_at: isoTime(counts.oldestReadyAtMs),
    handlers: handlersOf(counts),
  };
}

function failureJson(failure: Failure) {
  return {
    fingerprint: failure.fingerprint,
    pattern: failure.pattern,
    last_error: failure.lastError ?? null,
    handlers: failure.handlers,
    dependency: failure.dependency ?? null,
    causes: failure.causes.map(causeName),
    since: isoTime(failure.sinceMs),
    first_seen: isoTime(failure.firstSeenMs),
    last: isoTime(failure.lastMs),
    retrying: failure.retrying,
    parked: failure.parked,
    dead: failure.dead,
    bounded: failure.bounded,
    per_minute: failure.perMinute,
    newest_job: failure.jobId ?? null,
    newest_dead_letter: failure.letterId ?? null,
    next: nextCommand(failure),
  };
}

export function sourceJson([name, report]: readonly [string, SourceReport]) {
  return {
    name,
    state: report.state,
    waiting: report.waiting ?? null,
    handled: report.handled,
    stored: report.stored,
    duplicates: report.duplicates,
    dead_lettered: report.deadLettered,
    last_report: isoTime(report.atMs),
    last_error: report.lastError ?? null,
    last_error_at: report.lastErrorAtMs === undefined ? null : isoTime(report.lastErrorAtMs),
  };
}

/** As JSON prints it. */
export function workerJson(worker: WorkerStatus) {
  return {
    name: worker.name,
    state: worker.state,
    host: worker.host,
    pid: worker.pid,
    version: worker.version,
    since: isoTime(worker.sinceMs),
    last_seen_at: isoTime(worker.seenAtMs),
    handlers: worker.handlers,
    more_handlers: worker.moreHandlers,
    queues: worker.queues ?? null,
    more_queues: worker.moreQueues,
    concurrency: worker.concurrency,
    running: worker.running,
  };
}
