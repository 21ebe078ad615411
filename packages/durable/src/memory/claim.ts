import { claimDetail } from '../audit/audit-detail.ts';
import { RateRooms } from '../control/rules/rate-rooms.ts';
import type { Job, LeasedJob } from '../job/job.ts';
import { isSafeAhead, lossesOf, MAX_SUSPECTS, type Suspect } from '../job/suspects.ts';
import type { ClaimCommand, ClaimLane, ClaimResult } from '../store/commands.ts';
import type { ControlTable } from './controls.ts';
import { copyJob } from './job-table.ts';
import type { RateTable } from './rates.ts';
import type { Step } from './step.ts';
import { promote } from './upkeep.ts';

/** Takes ready jobs in the order of the queue. */
export function claim(
  step: Step,
  command: ClaimCommand,
  controls: ControlTable,
  rates: RateTable,
): ClaimResult {
  promote(step);
  const rooms = new RateRooms(command.rates ?? [], rates.get, step.nowMs);
  const { picked, more, suspects } = pick(step, command, controls, rooms);
  const nextStartMs = rates.keep(rooms);
  const jobs = picked.map(({ job, lane }) => lease(step, command, job, lane));
  const nextMs = Math.min(step.table.scheduled.earliestMs ?? Infinity, nextStartMs);
  return {
    ok: true,
    jobs,
    lastTenant: (command.only ? undefined : jobs.at(-1)?.tenant) ?? command.afterTenant,
    more,
    nowMs: step.nowMs,
    nextDueInMs: nextMs === Infinity ? undefined : Math.max(0, nextMs - step.nowMs),
    suspects: suspects.length === 0 ? undefined : suspects,
  };
}

interface Picked {
  readonly job: Job;
  readonly lane: ClaimLane;
}

/** The taken jobs. `more`: another one could have been taken with more room. */
function pick(
  { table, nowMs }: Step,
  command: ClaimCommand,
  controls: ControlTable,
  rates: RateRooms,
): { picked: Picked[]; more: boolean; suspects: Suspect[] } {
  const { lanes, queues, afterTenant, only, maxLosses = Infinity } = command;
  const picked: Picked[] = [];
  const suspects: Suspect[] = [];
  /** Only lanes that have some. */
  const laneRoom = new Map(
    lanes.filter(({ limit }) => limit > 0).map(({ handler, limit }) => [handler, limit]),
  );
  const takenPerKey = new Map<string, number>();
  let room = command.limit;
  let aheadRoom = command.ahead;
  let more = false;

  function isOpen(job: Job): boolean {
    if (queues !== undefined && !queues.includes(job.queue)) return false;
    if (controls.stops(job)) return false;
    return job.deadlineMs === undefined || job.deadlineMs > nowMs;
  }

  function offer(job: Job): 'take' | 'pass' | 'stop' {
    const lane = lanes.find(({ handler }) => handler === job.handler);
    if (lane === undefined || !isOpen(job)) return 'pass';
    const key =
      job.limitKey === undefined ? undefined : JSON.stringify([job.handler, job.limitKey]);
    if (key !== undefined && job.limitKey !== undefined) {
      const leased = table.leasedWith(job.handler, job.limitKey) + (takenPerKey.get(key) ?? 0);
      if (leased >= lane.limitPerKey) return 'pass';
    }
    const left = laneRoom.get(lane.handler) ?? 0;
    if (left > 0 && rates.refusal(job) !== undefined) return 'pass';
    const losses = lossesOf(job.account);
    if (losses > maxLosses) {
      if (suspects.length < MAX_SUSPECTS) suspects.push({ id: job.id, losses });
      return 'pass';
    }
    if (room > 0 && left > 0) {
      room -= 1;
      if (left > 1) laneRoom.set(lane.handler, left - 1);
      else laneRoom.delete(lane.handler);
    } else if (aheadRoom > 0 && isSafeAhead(job.account, job.deadlineMs, nowMs, command.leaseMs)) {
      aheadRoom -= 1;
    } else {
      more ||= room === 0 && left > 0;
      return aheadRoom === 0 && (more || laneRoom.size === 0) ? 'stop' : 'pass';
    }
    rates.start(job);
    if (key !== undefined) takenPerKey.set(key, (takenPerKey.get(key) ?? 0) + 1);
    picked.push({ job, lane });
    return 'take';
  }

  if (only === undefined) table.ready.offer(afterTenant, offer);
  else {
    for (const id of only) {
      const job = table.get(id);
      if (job?.state === 'ready' && offer(job) === 'stop') break;
    }
  }
  return { picked, more, suspects };
}

function lease(step: Step, command: ClaimCommand, job: Job, lane: ClaimLane): LeasedJob {
  const { worker, leaseMs, alone = false } = command;
  const event = { kind: 'claim', worker, leaseMs, policyHash: lane.policyHash, alone } as const;
  step.apply(job, event, { event: 'claim', detail: claimDetail(command, lane) });
  // It was ready and in time, or it would not have been picked.
  return copyJob(step.table.get(job.id) as LeasedJob);
}
