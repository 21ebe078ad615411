import { enqueueDetail } from '../audit/audit-detail.ts';
import { deadGroupOf } from '../dead-letter/fingerprint.ts';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { Job } from '../job/job.ts';
import { newLife } from '../job/new-life.ts';
import { type EnqueueCommand, type EnqueueResult, momentMs } from '../store/commands.ts';
import { copyPayload } from './job-table.ts';
import type { Step } from './step.ts';

/** Accepts a job, or refuses it. The id is compared before the unique key: a job that is sent twice is a `duplicate_id`. */
export function enqueue(step: Step, command: EnqueueCommand): EnqueueResult {
  const { job, onConflict, dead, attempts = NO_ATTEMPTS } = command;
  const { table, nowMs } = step;
  if (table.get(job.id) !== undefined) return { ok: false, refusal: 'duplicate_id', id: job.id };
  const key = dead === undefined ? job.uniqueKey : undefined;
  const holder = key === undefined ? undefined : table.holderOf(key);
  if (dead !== undefined) table.groups.add(deadGroupOf(attempts.kept, dead.reason));
  const existing = holder === undefined ? undefined : table.get(holder);
  if (existing === undefined) {
    const payload = copyPayload(job.payload);
    const accepted = { ...job, payload, ...newLife(command, nowMs), submittedAtMs: nowMs };
    const as = { event: 'enqueue', detail: enqueueDetail(command) } as const;
    step.record({ ...accepted, auditBlock: 0 }, null, as);
    return { ok: true, id: job.id, outcome: 'created' };
  }
  const { id } = existing;
  // The payload of one handler means nothing to another one, and that of one tenant is not for another one.
  const isOther = existing.handler !== job.handler || existing.tenant !== job.tenant;
  if (onConflict === 'refuse' || (onConflict === 'replace' && isOther))
    return { ok: false, refusal: 'unique_conflict', id };
  const replaced = onConflict === 'replace' && replace(step, existing, command);
  return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
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
  const as = { event: 'replace', detail: enqueueDetail(command) } as const;
  const other = { payload: copyPayload(payload), headers, tags, priority };
  return step.apply(existing, event, as, other).ok;
}
