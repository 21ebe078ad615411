import type { TenantFlows } from './flow-line.ts';
import type { Lane } from './lanes.ts';
import type { ReadyRow } from './ready-jobs.ts';
import { type Queue, TenantJobs } from './tenant-jobs.ts';

/**
 * The answer to a job that is offered. `pass`: its tenant's turn goes to the tenant's next job. `look again`: the same,
 * but another job may have come in behind it.
 */
export type Answer = 'take' | 'pass' | 'look again' | 'stop';

export interface Walk extends Queue {
  /** How many jobs will be taken at most: this number is fetched at once, where one tenant has them. */
  readonly wanted: number;
  /** Whether nothing of this tenant can be taken. */
  readonly isStopped: (tenant: string) => boolean;
  readonly offer: (row: ReadyRow, lane: Lane) => Answer;
  /** A tenant has a flow, and no job in it. */
  readonly passEmpty: () => Answer;
}

/**
 * Offers ready jobs in the order of the queue: priority; within it tenants by turns, beginning after `afterTenant`; within
 * a tenant submission time, then id. A job that was passed over is not offered again. Answers the tenants that it has
 * looked at: their flows may have changed.
 */
export function walkQueue(walk: Walk, afterTenant: string | null): TenantJobs[] {
  const met: TenantJobs[] = [];
  for (const priority of walk.line.priorities()) {
    if (walkLevel(walk, priority, afterTenant, met) === 'stop') break;
  }
  return met;
}

/** One priority: a turn for every tenant, then another one for those who took something, until nobody does. */
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
    const all = some.map((tenant) => new TenantJobs(walk, priority, tenant, atOnce));
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

/** The next tenants in turn, without those that are stopped. */
function next(walk: Walk, tenants: Iterator<TenantFlows>, count: number): TenantFlows[] {
  const found: TenantFlows[] = [];
  while (found.length < count) {
    const { value, done } = tenants.next();
    if (done) break;
    if (!walk.isStopped(value.tenant)) found.push(value);
  }
  return found;
}

/** One turn for each. Answers those who took something. */
function takeTurns(walk: Walk, all: readonly TenantJobs[]): TenantJobs[] | 'stop' {
  const left: TenantJobs[] = [];
  for (const jobs of all) {
    const answer = offerTurn(walk, jobs);
    if (answer === 'stop') return 'stop';
    if (answer === 'take') left.push(jobs);
  }
  return left;
}

/** One turn of one tenant. `pass`: it has nothing that can be taken. */
function offerTurn(walk: Walk, jobs: TenantJobs): Answer {
  let answer: Answer | undefined;
  for (let found = jobs.next(); found !== undefined; found = jobs.next()) {
    answer = walk.offer(found.row, found.lane);
    if (answer === 'look again') jobs.fetchAgain();
    else if (answer !== 'pass') return answer;
  }
  return answer ?? walk.passEmpty();
}
