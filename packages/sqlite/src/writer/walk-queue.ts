import type { Flow } from './flows.ts';
import type { Lane } from './lanes.ts';
import type { ReadyRow } from './ready-jobs.ts';
import { type Queue, TenantJobs } from './tenant-jobs.ts';

/**
 * The answer to an offered job. `pass`: the tenant's next job is offered in the same turn. `look again`: the same, but
 * another job may have been added after it.
 */
export type Answer = 'take' | 'pass' | 'look again' | 'stop';

export interface Walk extends Queue {
  /** The most jobs that will be claimed. If one tenant has them all, they are fetched at once. */
  readonly wanted: number;
  /** Whether jobs of this tenant must not be claimed. */
  readonly isStopped: (tenant: string) => boolean;
  readonly offer: (row: ReadyRow, lane: Lane) => Answer;
  /** Called for a tenant whose flows were read and have no job. */
  readonly passEmpty: () => Answer;
}

/**
 * Offers ready jobs in the order of the queue: by priority; within a priority tenants take turns, beginning after
 * `afterTenant`; within a tenant by submission time, then id. A job that was passed is not offered again. Returns the
 * tenants that were read: their flows may need a correction.
 */
export function walkQueue(walk: Walk, afterTenant: string | null): TenantJobs[] {
  const met: TenantJobs[] = [];
  for (const priority of walk.line.priorities()) {
    if (walkLevel(walk, priority, afterTenant, met) === 'stop') break;
  }
  return met;
}

/** One priority: a turn for every tenant, then turns for the tenants of claimed jobs, until no job is claimed. */
function walkLevel(
  walk: Walk,
  priority: number,
  afterTenant: string | null,
  met: TenantJobs[],
): Answer {
  const count = walk.wanted + 1;
  const tenants = walk.line.tenants(priority, afterTenant, count);
  let inTurn: TenantJobs[] = [];
  for (let some = next(walk, tenants, count); some.length > 0; some = next(walk, tenants, count)) {
    const atOnce = Math.ceil(count / some.length);
    const all = some.map((flows) => new TenantJobs(walk, priority, flows, atOnce));
    met.push(...all);
    const left = takeTurns(walk, all);
    if (left === 'stop') return 'stop';
    inTurn.push(...left);
  }
  while (inTurn.length > 0) {
    const left = takeTurns(walk, inTurn);
    if (left === 'stop') return 'stop';
    inTurn = left;
  }
  return 'pass';
}

/** The flows of the next tenants in turn, without those that are stopped. */
function next(walk: Walk, tenants: Iterator<Flow[]>, count: number): Flow[][] {
  const found: Flow[][] = [];
  while (found.length < count) {
    const { value, done } = tenants.next();
    if (done) break;
    if (!walk.isStopped(value[0]?.[1] ?? '')) found.push(value);
  }
  return found;
}

/** One turn for each tenant. Returns the tenants of claimed jobs. */
function takeTurns(walk: Walk, all: readonly TenantJobs[]): TenantJobs[] | 'stop' {
  const left: TenantJobs[] = [];
  for (const jobs of all) {
    const answer = offerTurn(walk, jobs);
    if (answer === 'stop') return 'stop';
    if (answer === 'take') left.push(jobs);
  }
  return left;
}

/** One turn of one tenant. `pass`: none of its jobs can be claimed. */
function offerTurn(walk: Walk, jobs: TenantJobs): Answer {
  let answer: Answer | undefined;
  for (let found = jobs.next(); found !== undefined; found = jobs.next()) {
    answer = walk.offer(found.row, found.lane);
    if (answer === 'look again') jobs.fetchAgain();
    else if (answer !== 'pass') return answer;
  }
  return answer ?? (jobs.isEmpty ? walk.passEmpty() : 'pass');
}
