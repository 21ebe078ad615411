import { type Failure, hasWorkerForParked } from '@redrive/durable/store';
import { breakerJson, breakerViews } from '../breaker/breaker-view.ts';
import { gateJson, gateViews } from '../gate/gate-view.ts';
import { killDocument } from '../kill/kill-target.ts';
import { causeName } from '../park/cause-name.ts';
import { parkJson } from '../park/park-view.ts';
import { pauseDocument } from '../queue/list.ts';
import { countStates } from '../store/job-counts.ts';
import { isoTime } from '../terminal/times.ts';
import { workerJson } from '../workers/worker-view.ts';
import { handlersOf } from './count-lines.ts';
import { nextCommand } from './failing-lines.ts';
import { problemsOf } from './problems.ts';
import { missingWorkers, type Status } from './read-status.ts';
import { sourceJson } from './source-lines.ts';
import { verdictOf } from './verdict.ts';

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
    kill_switches: control.killSwitches.map(killDocument),
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
