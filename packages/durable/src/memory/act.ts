import { actDetail } from '../audit/audit-detail.ts';
import type { Job } from '../job/job.ts';
import type { JobEvent } from '../job/transition.ts';
import type { ActCommand, ActResult, SettleCommand, SettleResult } from '../store/commands.ts';
import { momentMs } from '../store/moment.ts';
import type { Step } from './step.ts';

/** Ends an attempt, if the token is the newest. */
export function settle(step: Step, { settlement }: SettleCommand): SettleResult {
  const job = step.table.get(settlement.id);
  if (job === undefined) return { ok: false, refusal: 'not_found' };
  const event = settlement.by === 'held' ? 'settle' : 'lease_lost';
  const { detail, result, resultOmittedBytes } = settlement;
  const outcome = settlement.to === 'succeeded' ? { result, resultOmittedBytes } : {};
  const answer = step.happen(job, { kind: 'settle', settlement }, { event, detail }, outcome);
  if (!answer.ok) return answer;
  // Its limit key is free for another one.
  if (job.limitKey !== undefined) step.changes.add('ready');
  return { ok: true };
}

/** Does what an operator wants, if it is legal. */
export function act(step: Step, command: ActCommand): ActResult {
  const job = step.table.get(command.id);
  if (job === undefined) return { ok: false, refusal: 'not_found' };
  if (command.act === 'requeue' && isKeyTaken(step, job)) {
    return { ok: false, refusal: 'unique_conflict' };
  }
  const as = { event: command.act, detail: actDetail(command) };
  const answer = step.happen(job, eventOf(command, step.nowMs), as);
  return answer.ok ? { ok: true, state: answer.life.state } : answer;
}

function eventOf({ act, deadline }: ActCommand, nowMs: number): JobEvent {
  switch (act) {
    case 'unpark':
      return { kind: act, byHand: true };
    case 'requeue':
      return { kind: act, deadlineMs: deadline && momentMs(deadline, nowMs) };
    default:
      return { kind: act };
  }
}

/** Whether an unfinished job has its unique key by now. An unfinished one has it itself, and cannot be requeued anyway. */
function isKeyTaken({ table }: Step, { id, uniqueKey }: Job): boolean {
  const holder = uniqueKey === undefined ? undefined : table.holderOf(uniqueKey);
  return holder !== undefined && holder !== id;
}
