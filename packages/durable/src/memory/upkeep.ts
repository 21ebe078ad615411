import { actorDetail } from '../audit/audit-detail.ts';
import type { ReleaseCommand, ReleaseResult } from '../control/control-store.ts';
import { EXPIRED_GROUP } from '../dead-letter/fingerprint.ts';
import { hookOf } from '../dead-letter/hook.ts';
import type { Job } from '../job/job.ts';
import {
  expiredJobs,
  type PruneCommand,
  type PruneResult,
  type TickCommand,
  type TickResult,
} from '../store/commands.ts';
import { checkLimit } from '../store/page.ts';
import { enqueue } from './enqueue.ts';
import type { Step } from './step.ts';

/** The changes that time alone brings. */
export function tick(step: Step, { limit, actor }: TickCommand): TickResult {
  const { table, nowMs } = step;
  const detail = actorDetail(actor);
  const promoted = promote(step, limit);
  const due = table.parked.dueBy(nowMs, limit);
  for (const job of found(step, due)) {
    step.apply(job, { kind: 'unpark', byHand: false }, { event: 'unpark', detail });
  }
  const late = table.deadlines.dueBy(nowMs, limit);
  if (late.length > 0) table.groups.add(EXPIRED_GROUP);
  const expired = found(step, late);
  for (const job of expired) {
    const answer = step.apply(job, { kind: 'expire' }, { event: 'expire', detail });
    const hook = answer.ok ? hookOf(job, actor) : undefined;
    if (hook !== undefined) enqueue(step, hook);
  }
  const more = Math.max(promoted, due.length, late.length) >= limit;
  const expiredBy = expiredJobs(expired);
  const answer = { ok: true, promoted, released: due.length, expired: late.length, more } as const;
  return expiredBy ? { ...answer, expiredBy } : answer;
}

/** Releases jobs that are parked under one cause. */
export function release(
  step: Step,
  { cause, limit, inTurn, actor }: ReleaseCommand,
): ReleaseResult {
  checkLimit('limit', limit);
  const { parkedBy } = step.table;
  const jobs = inTurn ? parkedBy.inTurn(cause, limit) : parkedBy.first(cause, limit);
  const detail = actorDetail(actor);
  for (const job of jobs) {
    step.apply(job, { kind: 'unpark', byHand: true }, { event: 'unpark', detail });
  }
  return { ok: true, released: jobs.length, more: parkedBy.has(cause) };
}

/** Makes scheduled jobs ready whose time has come. Answers how many. */
export function promote(step: Step, limit?: number): number {
  const due = step.table.scheduled.dueBy(step.nowMs, limit);
  // A promotion has no record.
  const unrecorded = { event: 'run_now', detail: '{}' } as const;
  for (const job of found(step, due)) step.apply(job, { kind: 'promote' }, unrecorded);
  return due.length;
}

/** Deletes finished jobs whose time is over, the oldest first. */
export function prune(step: Step, command: PruneCommand): PruneResult {
  const { table, nowMs } = step;
  const detail = actorDetail(command.actor);
  const keptMs: Partial<Record<Job['state'], number>> = {
    succeeded: command.succeededAfterMs,
    cancelled: command.cancelledAfterMs,
    dead: command.deadAfterMs,
    purged: command.purgedAfterMs,
  };
  const only = command.only && new Map(command.only.map(({ id, revision }) => [id, revision]));
  const over: Job[] = [];
  for (const job of found(step, table.finished.dueBy(nowMs))) {
    if (over.length >= command.limit) break;
    const { state, finishedAtMs = nowMs, purgedAtMs: sinceMs = finishedAtMs } = job;
    if (only !== undefined && only.get(job.id) !== job.revision) continue;
    if (sinceMs + (keptMs[state] ?? Number.POSITIVE_INFINITY) <= nowMs) over.push(job);
  }
  for (const job of over) {
    table.batches.keepCounting(job);
    step.remove(job, detail);
  }
  table.groups.prune();
  table.pruneWindows(nowMs);
  table.batches.prune(table, nowMs);
  return { ok: true, deleted: over.length, more: over.length >= command.limit };
}

function found({ table }: Step, ids: readonly string[]): Job[] {
  return ids.map((id) => table.get(id)).filter((job) => job !== undefined);
}
