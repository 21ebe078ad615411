import { actDetail } from '../audit/audit-detail.ts';
import type { Job } from '../job/job.ts';
import { actEvent, transition } from '../job/transition.ts';
import type { ActCommand, ActResult, SettleCommand, SettleResult } from '../store/commands.ts';
import { followRefusal, type KnownBefore } from '../store/follow-ups.ts';
import { enqueue } from './enqueue.ts';
import { copyPayload } from './job-table.ts';
import type { Step } from './step.ts';

/** Ends an attempt, if the token is the newest. */
export function settle(step: Step, { settlement }: SettleCommand): SettleResult {
  const job = step.table.get(settlement.id);
  if (job === undefined) return { ok: false, refusal: 'not_found' };
  const event = settlement.by === 'held' ? 'settle' : 'lease_lost';
  const { detail, own, follow = [] } = settlement;
  const ends = { kind: 'settle', settlement } as const;
  if (follow.length > 0) {
    const checked = transition(job, ends, step.nowMs);
    if (!checked.ok) return checked;
    const refused = followRefusal(follow, knownBefore(step, job));
    if (refused !== undefined) return refused;
  }
  const answer = step.apply(job, ends, { event, detail, own });
  if (!answer.ok) return answer;
  if (answer.life.state === 'dead' && settlement.group) step.table.groups.add(settlement.group);
  // Its limit key is free for another one.
  if (job.limitKey !== undefined) step.changes.add('ready');
  for (const command of follow) enqueue(step, command);
  return { ok: true };
}

function knownBefore({ table, nowMs }: Step, ended: Job): KnownBefore {
  return {
    digestOf(id) {
      const job = table.get(id);
      return job && (job.digest ?? null);
    },
    holderOf(uniqueKey) {
      const id = table.holderOf(uniqueKey);
      return id === undefined || id === ended.id ? undefined : table.get(id);
    },
    windowOf(uniqueKey) {
      const window = table.windowOf(uniqueKey);
      return window && window.untilMs > nowMs ? window : undefined;
    },
    isClosed: (job) => table.batches.isClosed(job),
  };
}

/** Carries out an operator's act, if it is legal. */
export function act(step: Step, command: ActCommand): ActResult {
  const job = step.table.get(command.id);
  if (job === undefined) return { ok: false, refusal: 'not_found' };
  if (command.generation !== undefined && command.generation !== job.account.generation) {
    return { ok: false, refusal: 'changed' };
  }
  if (command.act === 'requeue' && isKeyTaken(step, job)) {
    return { ok: false, refusal: 'unique_conflict' };
  }
  const as = { event: command.act, detail: actDetail(command) };
  const payload = command.act === 'requeue' ? command.payload : undefined;
  const edited = payload === undefined ? {} : { payload: copyPayload(payload) };
  const answer = step.apply(job, actEvent(command, step.nowMs), as, edited);
  if (!answer.ok) return answer;
  if (payload !== undefined) keepPayload(step, job, command);
  if (command.act === 'regroup' && command.group) step.table.groups.add(command.group);
  return { ok: true, state: answer.life.state };
}

/** Keeps the payload that an edit has replaced. */
function keepPayload({ table, nowMs }: Step, job: Job, { actor }: ActCommand): void {
  const { id, payload, account } = job;
  table.addEarlier(id, {
    generation: account.generation,
    payload,
    replacedAtMs: nowMs,
    by: actor.name,
  });
}

/** Whether an unfinished job has its unique key by now. An unfinished one has it itself, and cannot be requeued anyway. */
function isKeyTaken({ table }: Step, { id, uniqueKey }: Job): boolean {
  const holder = uniqueKey === undefined ? undefined : table.holderOf(uniqueKey);
  return holder !== undefined && holder !== id;
}
