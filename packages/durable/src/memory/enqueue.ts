import { enqueueDetail, replaceDetail } from '../audit/audit-detail.ts';
import { buriedGroupOf } from '../dead-letter/dead-group.ts';
import { hookOf } from '../dead-letter/hook.ts';
import type { Job } from '../job/job.ts';
import { newLife } from '../job/new-life.ts';
import { type EnqueueCommand, type EnqueueResult, momentMs } from '../store/commands.ts';
import { copyPayload } from './job-table.ts';
import type { Step } from './step.ts';

/** Accepts a job, or refuses it. The id is compared before the unique key, so that a repeated command is recognised. */
export function enqueue(step: Step, command: EnqueueCommand): EnqueueResult {
  const { job, onConflict, uniqueForMs, dead } = command;
  const { table, nowMs } = step;
  const withId = table.get(job.id);
  if (withId !== undefined) return sameOrNot(withId, command);
  if (table.batches.isClosed(job)) return { ok: false, refusal: 'batch_closed', id: job.id };
  const key = dead === undefined ? job.uniqueKey : undefined;
  const holder = key === undefined ? undefined : table.holderOf(key);
  if (dead !== undefined) table.groups.add(buriedGroupOf(command));
  const unfinished = holder === undefined ? undefined : table.get(holder);
  const window = key === undefined || uniqueForMs === undefined ? undefined : table.windowOf(key);
  const existing = unfinished ?? (window && window.untilMs > nowMs ? window : undefined);
  if (existing === undefined) {
    if (key !== undefined && uniqueForMs !== undefined) {
      const { id, handler, tenant } = job;
      // Whole milliseconds, as in every store.
      table.putWindow(key, { id, handler, tenant, untilMs: nowMs + Math.ceil(uniqueForMs) });
    }
    const payload = copyPayload(job.payload);
    const accepted = { ...job, payload, ...newLife(command, nowMs), submittedAtMs: nowMs };
    const as = { event: 'enqueue', detail: enqueueDetail(command) } as const;
    step.record({ ...accepted, auditBlock: 0 }, null, as);
    const hook = dead && hookOf(accepted, command.actor);
    if (hook !== undefined) enqueue(step, hook);
    return { ok: true, id: job.id, outcome: 'created' };
  }
  const { id } = existing;
  // The payload of one handler means nothing to another one, and that of one tenant is not for another one.
  const isOther = existing.handler !== job.handler || existing.tenant !== job.tenant;
  if (onConflict === 'refuse' || (onConflict === 'replace' && isOther))
    return { ok: false, refusal: 'unique_conflict', id };
  const replaced =
    onConflict === 'replace' && unfinished !== undefined && replace(step, unfinished, command);
  return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
}

/** The answer where a job has the id. */
function sameOrNot({ id, digest }: Job, { job }: EnqueueCommand): EnqueueResult {
  if (job.digest === undefined) return { ok: false, refusal: 'duplicate_id', id };
  if (job.digest === digest) return { ok: true, id, outcome: 'existing' };
  return { ok: false, refusal: 'idempotency_conflict', id };
}

/** Whether it could be replaced: a leased job cannot. */
function replace(step: Step, existing: Job, command: EnqueueCommand): boolean {
  const { due, deadline } = command;
  const { payload, headers, tags, priority } = command.job;
  const event = {
    kind: 'replace',
    dueAtMs: due && momentMs(due, step.nowMs),
    deadlineMs: deadline && momentMs(deadline, step.nowMs),
  } as const;
  const detail = replaceDetail(enqueueDetail(command), existing.queue);
  const as = { event: 'replace', detail } as const;
  const other = { payload: copyPayload(payload), headers, tags, priority };
  return step.apply(existing, event, as, other).ok;
}
